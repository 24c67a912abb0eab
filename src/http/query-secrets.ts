import { isSecretName } from '../redact/patterns/secret-names.ts'
import type { SecretNameTest } from './target.ts'

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

/** Creates a test for query parameters with secret values: the default ones and the additional ones. */
export function createSecretParameterTest(additionalNames: readonly string[]): SecretNameTest {
  return createSecretNameTest([...secretParameters, ...additionalNames])
}

/** Creates a test for names with secret values: those that `isSecretName` treats as secret, and the additional ones. */
export function createSecretNameTest(additionalNames: readonly string[]): SecretNameTest {
  const secretNames = new Set(additionalNames.map(normalizeName))
  // Cache the results: a program has few parameter names, which recur with each request.
  const cache = new Map<string, boolean>()
  return (name) => {
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const isSecret = namesOf(name).some((part) => isSecretName(part) || secretNames.has(normalizeName(part)))
    if (cache.size >= maxCached) cache.clear()
    if (name.length <= maxCachedLength) cache.set(name, isSecret)
    return isSecret
  }
}

// Clients can send any name, so the number and the length of cached names are limited.
const maxCached = 256
const maxCachedLength = 64

/** Returns a name and its segments: `user[password]` and `user.password` are passwords. */
function namesOf(name: string): string[] {
  const text = decodeName(name)
  return [text, ...text.split(/[[\].]+/)]
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '')
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).trim()
  } catch {
    return name // a percent sign that encodes nothing
  }
}
