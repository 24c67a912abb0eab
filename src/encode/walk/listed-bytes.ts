import { isByte } from '../../redact/bytes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Returns whether patterns match the bytes at the start of a list of numbers, such as `data` in the JSON of a Buffer. Items after those
 * that are written are read as far as a match can extend.
 *
 * @param writtenCount - how many items are written
 */
export function listedBytesMatch(
  source: readonly unknown[],
  length: number,
  writtenCount: number,
  patterns: TextPatterns,
): boolean {
  if (length < patterns.minTextLength) return false
  const bytes: number[] = []
  const end = Math.min(length, writtenCount + patterns.lookaheadLength)
  try {
    for (let index = 0; index < end; index++) {
      const item = source[index]
      if (!isByte(item)) break
      bytes.push(item)
    }
  } catch {
    // a getter or a proxy threw; the error is reported where the item is written
  }
  return bytes.length >= patterns.minTextLength && patterns.matchesBytes(Uint8Array.from(bytes))
}
