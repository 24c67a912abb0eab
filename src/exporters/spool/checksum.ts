/** The number of bits of a checksum. Each is one byte, a space or a tab, highest bit first. */
const checksumBits = 32
/** A space. */
const zeroBit = 0x20
/** A tab. */
const oneBit = 0x09
const newline = 0x0a
const closingBrace = 0x7d

/**
 * Joins the parts of a line (JSON that ends with a newline) and inserts the CRC-32 of the JSON before the newline, as 32 spaces
 * (for 0) and tabs (for 1). The line remains the same JSON for every reader, including those that reject unknown members.
 */
export function withChecksum(parts: readonly Uint8Array[]): Uint8Array {
  const line = Buffer.concat([...parts, Buffer.alloc(checksumBits)])
  const checksumStart = line.length - checksumBits - 1
  const checksum = crc32(line.subarray(0, checksumStart))
  for (let bit = 0; bit < checksumBits; bit++)
    line[checksumStart + bit] = ((checksum << bit) & 0x80000000) === 0 ? zeroBit : oneBit
  line[line.length - 1] = newline
  return line
}

/**
 * Returns whether a line, without its newline, must have a checksum: only lines of earlier versions have none, and these end with
 * the closing brace of the JSON. So checksums are also verified in a file whose name was changed and no longer contains `.crc32`.
 */
export function hasChecksum(line: Uint8Array): boolean {
  return line.at(-1) !== closingBrace
}

/** Returns whether a line, without its newline, ends with the checksum of its content. */
export function hasValidChecksum(line: Uint8Array): boolean {
  const checksumStart = line.length - checksumBits
  if (checksumStart < 0) return false
  let checksum = 0
  for (const byte of line.subarray(checksumStart)) {
    if (byte !== zeroBit && byte !== oneBit) return false
    checksum = (checksum << 1) | (byte === oneBit ? 1 : 0)
  }
  return checksum >>> 0 === crc32(line.subarray(0, checksumStart))
}

function crc32(bytes: Uint8Array): number {
  // Load it only here: a program without a spool does not need it.
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}
