import { holdsAsBytes } from '../../encode/walk/listed-bytes.ts'
import { redacted } from '../../redact/censor.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Returns an object whose members are logged. Bytes, or a list of byte values, that match a pattern are replaced by a redacted member
 * `value`: written as members, such as `{"0":112,"1":97}`, they would match no pattern.
 */
export function redactByteLists(given: object, patterns: TextPatterns | undefined): object {
  if (patterns === undefined) return given
  const isFound = ArrayBuffer.isView(given)
    ? patterns.findIn(given)
    : Array.isArray(given) && holdsAsBytes(given, given.length, given.length, patterns)
  return isFound ? { value: redacted } : given
}
