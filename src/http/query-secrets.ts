import { isSecretName } from '../redact/patterns/secret-names.ts'
import type { SecretTest } from './target.ts'

/**
 * What is secret in queries, beside what `isSecretName` knows to be secret wherever it stands; without case, `-` and `_`. These are
 * parameters of OAuth 2, OpenID Connect and signed URLs, and short words that mean something else in other places.
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

/** A test for the parameters that everybody's query covers, and for those of `more`. */
export function secretTest(more: readonly string[]): SecretTest {
  const secrets = new Set([...secretParameters, ...more.map(plainName)])
  // The names of a program's queries are few, and come again with each request.
  const known = new Map<string, boolean>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const secret = namesOf(name).some((one) => isSecretName(one) || secrets.has(plainName(one)))
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
  return [text, ...text.split(/[[\].]+/)]
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
