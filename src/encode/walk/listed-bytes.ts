import { isByte } from '../../redact/bytes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Returns whether patterns match the bytes at the start of a list of numbers, such as `data` in the JSON of a Buffer. Items after those
 * that are written are read as far as a match can extend.
 *
 * @param shown - how many items are written
 */
export function holdsAsBytes(
  source: readonly unknown[],
  length: number,
  shown: number,
  patterns: TextPatterns,
): boolean {
  if (length < patterns.least) return false
  const bytes: number[] = []
  const end = Math.min(length, shown + patterns.longest)
  try {
    for (let index = 0; index < end; index++) {
      const item = source[index]
      if (!isByte(item)) break
      bytes.push(item)
    }
  } catch {
    // a getter or a proxy threw; the error is reported where the item is written
  }
  return bytes.length >= patterns.least && patterns.findIn(Uint8Array.from(bytes))
}
