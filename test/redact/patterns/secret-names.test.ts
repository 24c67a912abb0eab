import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import {
  harmlessPassWords,
  harmlessTokenWords,
  secretLastWords,
  secretNameEndings,
  nameSuffixes,
  passPrefixes,
  secretWholeNames,
} from '../../../src/redact/patterns/secret-name-lists.ts'
import { isSecretName } from '../../../src/redact/patterns/secret-names.ts'
import { credentialHeaders } from '../../../src/redact/headers.ts'

/** Returns a name in the spellings of JavaScript, Python, HTTP, environment variables and .NET. */
function spellings(words: string): readonly string[] {
  const all = words.split(' ')
  const capitalized = all.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return [
    all[0]! + capitalized.slice(1).join(''),
    capitalized.join(''),
    all.join('_'),
    all.join('-'),
    all.join('.'),
    all.join('_').toUpperCase(),
    capitalized.join('-'),
  ]
}

const secret =
  `password|new password|new password 1|password 2|password old|db password prod|password hash|password salt|
password confirmation|user passwd|passphrase|gpg passphrase|pass|smtp pass|db pass|pass 2|ssh pass|pwd|mysql pwd|db pw|pw|secret|client secret|
secret string|secret key base|token|access token|api token v2|github token|x auth token|api key|api keys|stripe api key live|private key|
aws secret access key|encryption key|credentials|db creds|otp|user otp|otp code|totp|cvv|cvc|card cvv|cvv 2|connection string|db connection string|
dsn|sentry dsn|jwt|auth jwt|auth|authorization|cookie|session id|signature|csrf token|refresh token old|recovery codes|seed phrase|
master key backup|sas token`.split(/\|\n?/)

const harmless =
  `passenger|compass|bypass|by pass|passed|pass count|pass rate|passport|password length|password policy|password reset url|
first pass|render pass|low pass|boarding pass|pinned|pin|pin code|pinterest|spin|author|authors|authority|authentication|tokens|token count|
max tokens|prompt tokens|tokenizer|token type|token id|tokens per second|cost per token|next page token|page token|next token|sync token|
cancellation token|eos token|first token|monkey|keyboard|key|keys|primary key|foreign key|keyword|turkey|access key id|secret arn|secret name|
secretary|hash|salt|value|old|prod|test|session|sessions|significant|signal|design|assignment|otpional|option|adopt|cvs|connection|
connections|connection count|dns|user|username|email|id|name|code|status code|country code|threshold|encrypted|passive|passage|cookies enabled|
conn|opw|power|scope`.split(/\|\n?/)

describe('detection of secret names', () => {
  test.each(secret)('a name is secret in all spellings of %j', (words) => {
    expect(spellings(words).filter((name) => !isSecretName(name))).toEqual([])
  })

  test.each(harmless)('a name is not secret in any spelling of %j', (words) => {
    expect(spellings(words).filter((name) => isSecretName(name))).toEqual([])
  })

  test('each name in the lists is secret, with each prefix and suffix', () => {
    const names = [...secretWholeNames, ...secretNameEndings, ...secretLastWords, ...credentialHeaders]
    expect(names.filter((name) => !isSecretName(name))).toEqual([])
    const prefixed = [...secretNameEndings, ...secretLastWords].flatMap((name) => [
      `db_${name}`,
      `APP-${name.toUpperCase()}`,
    ])
    expect(prefixed.filter((name) => !isSecretName(name))).toEqual([])
    const suffixed = nameSuffixes.flatMap((suffix) => [`password_${suffix}`, `API_TOKEN_${suffix.toUpperCase()}_2`])
    expect(suffixed.filter((name) => !isSecretName(name))).toEqual([])
    const joined = passPrefixes.flatMap((prefix) => [`${prefix}pass`, `${prefix}pwd`, `${prefix}PASS`])
    expect(joined.filter((name) => !isSecretName(name))).toEqual([])
  })

  test('a name is not secret if its first word makes it a page, signal or run', () => {
    const names = [
      ...harmlessTokenWords.map((word) => `${word}_token`),
      ...harmlessPassWords.map((word) => `${word}_pass`),
    ]
    expect(names.filter((name) => isSecretName(name))).toEqual([])
  })
})

test('the reference lists the names of the preset secrets', () => {
  const reference = readFileSync(new URL('../../../docs/reference/redaction.md', import.meta.url), 'utf8')
  const section = /## Names in the preset `secrets`\n([^]*?)\n##/.exec(reference)![1]!
  const rows = section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => [...line.split('|')[2]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  const headers = [...credentialHeaders]
  expect(rows.slice(2)).toEqual([
    secretNameEndings,
    secretLastWords,
    passPrefixes,
    secretWholeNames,
    headers,
    nameSuffixes,
    harmlessTokenWords,
    harmlessPassWords,
  ])
})
