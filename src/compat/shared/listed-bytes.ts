import { holdsAsBytes } from '../../encode/walk/listed-bytes.ts'
import { redacted } from '../../redact/censor.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Returns an object whose members are to be logged. Bytes, or a list of their numbers, in which patterns find something are the member
 * `value`: as members, `{"0":112,"1":97}`, no pattern would find it.
 */
export function withoutListedBytes(given: object, patterns: TextPatterns | undefined): object {
  if (patterns === undefined) return given
  const isFound = ArrayBuffer.isView(given)
    ? patterns.findIn(given)
    : Array.isArray(given) && holdsAsBytes(given, given.length, given.length, patterns)
  return isFound ? { value: redacted } : given
}
