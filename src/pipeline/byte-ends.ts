/**
 * Returns the ends of records in bytes, given their ends in UTF-16 units. They are equal if each unit is one byte, as in ASCII or
 * binary text; otherwise the bytes are scanned.
 */
export function byteEnds(ends: number[], bytes: Uint8Array): readonly number[] {
  const total = ends.length
  if (total === 0 || ends.at(-1) === bytes.length) return ends
  const found: number[] = []
  let units = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    // Only the first byte of a character counts: two UTF-16 units if four bytes encode it, otherwise one.
    if ((byte & 0xc0) === 0x80) continue
    while (found.length < total && units >= ends[found.length]!) found.push(at)
    units += byte >= 0xf0 ? 2 : 1
  }
  while (found.length < total) found.push(bytes.length)
  return found
}
