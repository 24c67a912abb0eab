import { base64 } from '../../encode/json/base64.ts'
import { bytesOf } from '../../encode/otlp/protobuf.ts'
import type { Headers } from '../../platform/node/otlp-header-list.ts'

/** What is shorter than this would cover half of every sentence. */
const shortestSecret = 4

/** Words of a server, which may have repeated what it was sent: without the secrets, and without what looks like one. */
export function masked(text: string, secrets: readonly string[]): string {
  // A server may repeat one of several parts, `sid=…` of a cookie, or write it as it would stand in a URL.
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(/[\s;,]+/), ...secret.split(/[\s;,=&"]+/)])
  const words = parts.flatMap((part) => [part, encodeURIComponent(part.toWellFormed())])
  const longestFirst = words.filter((word) => word.length >= shortestSecret).toSorted((a, b) => b.length - a.length)
  const safe = longestFirst.reduce((rest, word) => rest.replaceAll(word, '[REDACTED]'), text)
  return safe.replace(/\b(Bearer|Basic)\s+(?!\[REDACTED\])\S+/gi, '$1 [REDACTED]')
}

/** What of header fields is nobody's business: credentials, by their name or by their scheme. Other words are harmless. */
export function headerSecrets(headers: Headers): string[] {
  return [...headers].flatMap(([name, value]) => {
    const [, scheme, credentials] = /^(Bearer|Basic|Digest|Token|ApiKey)\s+(.+)$/i.exec(value) ?? []
    if (scheme === undefined || credentials === undefined) return credentialName.test(name) ? [value] : []
    const pair = scheme.toLowerCase() === 'basic' ? pairSecrets(fromBase64(credentials)) : []
    return pair.concat(credentials)
  })
}

/** What of a URL is nobody's business. */
export function urlSecrets({ username, password, searchParams }: URL): string[] {
  const inQuery = [...searchParams].flatMap(([name, value]) => (credentialName.test(name) ? [value] : []))
  if (username === '') return inQuery
  const pair = `${decoded(username)}:${decoded(password)}`
  // Without a password the name is the secret.
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

/** `user:password`, and the password alone. */
function pairSecrets(pair: string): string[] {
  const at = pair.indexOf(':')
  return at < 0 ? [pair] : [pair, pair.slice(at + 1)]
}

function toBase64(text: string): string {
  return base64(new TextEncoder().encode(text))
}

/** '' for what is none. */
function fromBase64(text: string): string {
  try {
    return new TextDecoder().decode(bytesOf(atob(text.replaceAll('-', '+').replaceAll('_', '/'))))
  } catch {
    return ''
  }
}
