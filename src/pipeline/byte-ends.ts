/**
 * Returns the ends of records in bytes, given their ends in UTF-16 units. Both are the same if each unit is one byte, as in ASCII
 * or binary text; otherwise the bytes are scanned.
 *
 * @param bytes - the encoded records
 */
export function toByteEnds(unitEnds: number[], bytes: Uint8Array): readonly number[] {
  const total = unitEnds.length
  // A unit takes at least one byte, so if the last ends are equal, all are.
  if (total === 0 || unitEnds.at(-1) === bytes.length) return unitEnds
  const ends: number[] = []
  let units = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    // Only the first byte of a character counts: two UTF-16 units if four bytes encode it, otherwise one.
    if ((byte & 0xc0) === 0x80) continue
    while (ends.length < total && units >= unitEnds[ends.length]!) ends.push(at)
    units += byte >= 0xf0 ? 2 : 1
  }
  while (ends.length < total) ends.push(bytes.length)
  return ends
}
