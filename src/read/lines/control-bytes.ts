/** Returns whether bytes contain a control character (U+0000 to U+001F) other than the line feed. Four bytes are tested at once. */
export function hasControlBytes(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes
  // A word begins at a multiple of four.
  const aligned = -byteOffset & 3
  if (length < aligned) return hasControlByte(bytes, 0, length)
  if (hasControlByte(bytes, 0, aligned)) return true
  const words = new Int32Array(buffer, byteOffset + aligned, (length - aligned) >> 2)
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    // The subtraction sets the highest bit of a byte below 32, and of bytes that have it already or lend to one.
    if (((word - 0x20_20_20_20) & ~word & 0x80_80_80_80) === 0) continue
    const at = aligned + index * 4
    if (hasControlByte(bytes, at, at + 4)) return true
  }
  return hasControlByte(bytes, aligned + words.length * 4, length)
}

function hasControlByte(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! < 32 && bytes[at] !== 10) return true
  return false
}
