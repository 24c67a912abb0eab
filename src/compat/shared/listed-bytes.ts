import { listedBytesMatch } from '../../encode/walk/listed-bytes.ts'
import { defaultReplacement } from '../../redact/censor.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Returns an object unchanged, unless it is bytes, or a list of byte values, in which a pattern matches: then an object with a redacted
 * member `value`. Written as members, such as `{"0":112,"1":97}`, the bytes would match no pattern.
 */
export function redactIfByteList(source: object, patterns: TextPatterns | undefined): object {
  if (patterns === undefined) return source
  const hasMatch = ArrayBuffer.isView(source) ? patterns.matchesBytes(source) : isMatchingByteList(source, patterns)
  return hasMatch ? { value: defaultReplacement } : source
}

/** Returns whether an object is a list of byte values in which a pattern matches. Never throws. */
export function isMatchingByteList(source: object, patterns: TextPatterns): boolean {
  try {
    return Array.isArray(source) && listedBytesMatch(source, source.length, source.length, patterns)
  } catch {
    return false // a proxy threw, as a revoked one does; the error is reported where the object is written
  }
}
