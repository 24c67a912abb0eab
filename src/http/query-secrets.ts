import { isSecretName } from '../redact/patterns/secret-names.ts'
import type { SecretTest } from './target.ts'

/**
 * Query parameters with secret values, in addition to the names that `isSecretName` treats as secret everywhere. Case, `-` and `_`
 * are ignored. They are parameters of OAuth 2, OpenID Connect and signed URLs, and short words that have other meanings elsewhere.
 */
const secretParameters = [
  'assertion',
  'awsaccesskeyid',
  'code',
  'codeverifier',
  'idtokenhint',
  'key',
  'otp',
  'pass',
  'pin',
  'session',
  'sid',
  'ticket',
  'xgoogcredential',
]

/** Returns a test for query parameters with secret values: the default ones and those of `more`. */
export function secretTest(more: readonly string[]): SecretTest {
  const secrets = new Set([...secretParameters, ...more.map(plainName)])
  // Cache the results: a program has few parameter names, which recur with each request.
  const cache = new Map<string, boolean>()
  return (name) => {
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const secret = namesOf(name).some((one) => isSecretName(one) || secrets.has(plainName(one)))
    if (cache.size >= maxCached) cache.clear()
    if (name.length <= maxCachedLength) cache.set(name, secret)
    return secret
  }
}

const maxCached = 256
const maxCachedLength = 64

/** Returns a name and its segments: `user[password]` and `user.password` are passwords. */
function namesOf(name: string): string[] {
  const text = decodeName(name)
  return [text, ...text.split(/[[\].]+/)]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name // a percent sign that encodes nothing
  }
}
