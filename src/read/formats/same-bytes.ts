/** Returns whether bytes have the given bytes at a position. Short texts are compared faster than with `Buffer.compare`. */
export function hasBytesAt(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false
  return true
}
