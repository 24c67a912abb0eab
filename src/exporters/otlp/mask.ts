import { base64 } from '../../encode/json/base64.ts'
import { bytesOf } from '../../encode/otlp/protobuf.ts'
import type { HeaderMap } from '../../platform/node/otlp-header-list.ts'

/** Shorter secrets are not masked, because they would match parts of ordinary words. */
const minSecretLength = 4

/** Returns a server's message in which secrets, and text that looks like credentials, are masked. A server may repeat what it received. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  // A server may repeat only a part of a value, such as `sid=…` of a cookie, or may URL-encode it.
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/[\s;,]+/), ...secret.split(/[\s;,=&"]+/)])
  const words = parts.flatMap((part) => [part, encodeURIComponent(part.toWellFormed())])
  const longestFirst = words.filter((word) => word.length >= minSecretLength).toSorted((a, b) => b.length - a.length)
  const masked = longestFirst.reduce((rest, word) => rest.replaceAll(word, '[REDACTED]'), text)
  return masked.replace(/\b(Bearer|Basic)\s+(?!\[REDACTED\])\S+/gi, '$1 [REDACTED]')
}

/** Returns the credentials in headers. A header is recognized by an authentication scheme in its value, or by its name. */
export function headerSecrets(headers: HeaderMap): string[] {
  return [...headers].flatMap(([name, value]) => {
    const [, scheme, credentials] = /^(Bearer|Basic|Digest|Token|ApiKey)\s+(.+)$/i.exec(value) ?? []
    if (scheme === undefined || credentials === undefined) return credentialNamePattern.test(name) ? [value] : []
    const decodedSecrets = scheme.toLowerCase() === 'basic' ? basicSecrets(fromBase64(credentials)) : []
    return decodedSecrets.concat(credentials)
  })
}

/** Returns the credentials in a URL: user name and password in several forms, and query parameters recognized by their names. */
export function urlSecrets({ username, password, searchParams }: URL): string[] {
  const querySecrets = [...searchParams].flatMap(([name, value]) => (credentialNamePattern.test(name) ? [value] : []))
  if (username === '') return querySecrets
  const userAndPassword = `${percentDecoded(username)}:${percentDecoded(password)}`
  // Without a password, the user name is the secret.
  const singleSecret = password === '' ? [percentDecoded(username)] : [password]
  return [...basicSecrets(userAndPassword), ...singleSecret, toBase64(userAndPassword), ...querySecrets]
}

const credentialNamePattern = /auth|cookie|key|token|secret|passw|credential|session|signature|^sig$/i

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the secrets in a text `user:password` of Basic authentication: the whole text, and the password. */
function basicSecrets(userAndPassword: string): string[] {
  const colon = userAndPassword.indexOf(':')
  return colon < 0 ? [userAndPassword] : [userAndPassword, userAndPassword.slice(colon + 1)]
}

function toBase64(text: string): string {
  return base64(new TextEncoder().encode(text))
}

/** Decodes base64. Returns an empty string if the text is invalid. */
function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(bytesOf(atob(text.replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return ''
  }
}
