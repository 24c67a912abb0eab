import { isByte } from '../../redact/bytes.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'

/**
 * Whether patterns find something in a list that begins with numbers of bytes, such as `data` in the JSON of a Buffer. Those
 * behind the items that are shown are read as far as a match can go.
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
    // a getter or a proxy: what it throws is shown where the item is written
  }
  return bytes.length >= patterns.least && patterns.findIn(Uint8Array.from(bytes))
}
