import { credentialHeaders } from '../redact-headers.ts'

/** Names of what is secret in URLs, forms, settings and JSON, in lower case and without `-`, `_` and `.`. */
const names: ReadonlySet<string> = new Set([
  'accesskey',
  'accesstoken',
  'accountkey',
  'apikey',
  'apisecret',
  'apitoken',
  'auth',
  'authkey',
  'authtoken',
  'bearertoken',
  'clientassertion',
  'clientsecret',
  'credential',
  'credentials',
  'csrftoken',
  'encryptionkey',
  'idtoken',
  'jwt',
  'passcode',
  'passphrase',
  'passwd',
  'password',
  'privatekey',
  'pwd',
  'refreshtoken',
  'secret',
  'secretaccesskey',
  'secretkey',
  'secretkeybase',
  'securitytoken',
  'sessionid',
  'sessiontoken',
  'sharedaccesskey',
  'sharedsecret',
  'sig',
  'signature',
  'token',
  'xamzcredential',
  'xamzsignature',
  'xgoogsignature',
])

const headers: ReadonlySet<string> = new Set(Array.from(credentialHeaders, normalized))

/** Whether the value of a header of this name is a credential: the rule that holds below members named `headers`. */
export function isSecretHeader(name: string): boolean {
  return headers.has(normalized(name))
}

/** Whether what stands behind `name=` is secret, prefixes such as `db_` and `x-` included. */
export function isSecretName(name: string): boolean {
  const whole = normalized(name)
  if (names.has(whole) || headers.has(whole)) return true
  return isLongSecret(whole) || isPass(name) || isToken(whole)
}

/** Whether a name means nothing but a secret, so that a value in a sentence behind it is likely to be one. */
export function isPlainSecretName(name: string): boolean {
  return isLongSecret(normalized(name))
}

function isLongSecret(whole: string): boolean {
  return longSecrets.some((secret) => whole.endsWith(secret))
}

/** Names that say the same at the end of a longer one: `DB_PASSWORD`, `stripe.api-key`. */
const longSecrets = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'secrets',
  'credential',
  'credentials',
  'apikey',
  'apisecret',
  'accesstoken',
  'refreshtoken',
  'authtoken',
  'privatekey',
  'secretkey',
  'secretkeybase',
  'accesskey',
  'accountkey',
  'authkey',
  'encryptionkey',
  'masterkey',
  'signingkey',
  'sshkey',
]

/** What each of these names ends with, in both cases, as the source of an expression: most other names do not. */
export const nameEndings: string = [
  ...new Set([...names, ...headers, ...longSecrets, 'pass'].map((name) => name.slice(-3))),
]
  .map((ending) => Array.from(ending, (letter) => `[${letter}${letter.toUpperCase()}]`).join(''))
  .join('|')

/** `SMTP_PASS` and `MYSQL_PWD`, and neither `pass=3 fail=0` nor `bypass`. */
function isPass(name: string): boolean {
  return /[-_.](?:pass|pwd)$/i.test(name) || /[a-z](?:Pass|Pwd)$/.test(name)
}

/** `GITHUB_TOKEN`, and not what leads to the next page of a list. */
function isToken(whole: string): boolean {
  return whole.endsWith('token') && !/(?:page|next|continuation)token$/.test(whole)
}

function normalized(name: string): string {
  const lower = name.toLowerCase()
  return /[-_.]/.test(lower) ? lower.replaceAll(/[-_.]/g, '') : lower
}
