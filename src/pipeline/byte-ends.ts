/**
 * Where records end in bytes, from where they end in UTF-16 units: the same where all is ASCII, or one byte a character, else
 * found by reading the bytes.
 */
export function byteEnds(ends: number[], bytes: Uint8Array): readonly number[] {
  const total = ends.length
  if (total === 0 || ends.at(-1) === bytes.length) return ends
  const found: number[] = []
  let units = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    // Only the first byte of a character counts: two units where four bytes encode it, else one.
    if ((byte & 0xc0) === 0x80) continue
    while (found.length < total && units >= ends[found.length]!) found.push(at)
    units += byte >= 0xf0 ? 2 : 1
  }
  while (found.length < total) found.push(bytes.length)
  return found
}
