import { base64 } from '../../encode/json/base64.ts'
import { bytesOf } from '../../encode/otlp/protobuf.ts'
import type { Headers } from '../../platform/node/otlp-header-list.ts'

/** Shorter secrets are not masked, because they would match parts of ordinary words. */
const minSecretLength = 4

/** Returns a server's message, which may repeat parts of the request, with secrets and text that looks like credentials masked. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  // A server may repeat only a part of a value, such as `sid=…` of a cookie, or may URL-encode it.
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/[\s;,]+/), ...secret.split(/[\s;,=&"]+/)])
  const words = parts.flatMap((part) => [part, encodeURIComponent(part.toWellFormed())])
  const longestFirst = words.filter((word) => word.length >= minSecretLength).toSorted((a, b) => b.length - a.length)
  const safe = longestFirst.reduce((rest, word) => rest.replaceAll(word, '[REDACTED]'), text)
  return safe.replace(/\b(Bearer|Basic)\s+(?!\[REDACTED\])\S+/gi, '$1 [REDACTED]')
}

/** Returns the credentials in headers, recognized by the header's name or the authentication scheme. */
export function headerSecrets(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => {
    const [, scheme, credentials] = /^(Bearer|Basic|Digest|Token|ApiKey)\s+(.+)$/i.exec(value) ?? []
    if (scheme === undefined || credentials === undefined) return credentialName.test(name) ? [value] : []
    const pair = scheme.toLowerCase() === 'basic' ? pairSecrets(fromBase64(credentials)) : []
    return pair.concat(credentials)
  })
}

/** Returns the credentials in a URL. */
export function urlSecrets({ username, password, searchParams }: URL): string[] {
  const inQuery = [...searchParams].flatMap(([name, value]) => (credentialName.test(name) ? [value] : []))
  if (username === '') return inQuery
  const pair = `${decoded(username)}:${decoded(password)}`
  // Without a password, the user name is the secret.
  const alone = password === '' ? [decoded(username)] : [password]
  return [...pairSecrets(pair), ...alone, toBase64(pair), ...inQuery]
}

const credentialName = /auth|cookie|key|token|secret|passw|credential|session|signature|^sig$/i

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns `user:password`, and the password alone. */
function pairSecrets(pair: string): string[] {
  const colon = pair.indexOf(':')
  return colon < 0 ? [pair] : [pair, pair.slice(colon + 1)]
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
