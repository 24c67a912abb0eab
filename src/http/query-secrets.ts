import type { SecretTest } from './target.ts'

/**
 * Query parameters whose values are secrets, without case, `-` and `_`. The signatures are those that OpenTelemetry asks to cover
 * in `url.query`; the others are those of OAuth 2 and OpenID Connect, and what keys, sessions and passwords are called.
 */
const secretParameters = [
  'accesstoken',
  'apikey',
  'assertion',
  'auth',
  'authorization',
  'authtoken',
  'awsaccesskeyid',
  'clientassertion',
  'clientsecret',
  'code',
  'codeverifier',
  'credential',
  'csrftoken',
  'idtoken',
  'idtokenhint',
  'jwt',
  'key',
  'otp',
  'pass',
  'passwd',
  'password',
  'pin',
  'privatekey',
  'pwd',
  'refreshtoken',
  'secret',
  'sessionid',
  'sessiontoken',
  'sid',
  'sig',
  'signature',
  'subjecttoken',
  'ticket',
  'token',
  'xamzcredential',
  'xamzsecuritytoken',
  'xamzsignature',
  'xgoogcredential',
  'xgoogsignature',
]

/** A test for the parameters that everybody's query covers, and for those of `more`. */
export function secretTest(more: readonly string[]): SecretTest {
  const secrets = new Set([...secretParameters, ...more.map(plainName)])
  // The names of a program's queries are few, and come again with each request.
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const secret = namesOf(name).some((one) => secrets.has(one))
    if (known.size >= mostKnown) known.clear()
    if (name.length <= longestKnown) known.set(name, secret)
    return secret
  }
}

const mostKnown = 256
const longestKnown = 64

/** A name, and its segments: `user[password]` and `user.password` are passwords. */
function namesOf(name: string): string[] {
  const text = decoded(name)
  return [plainName(text), ...text.split(/[[\].]+/).map(plainName)]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name // a percent sign that encodes nothing
  }
}
