/** The number of bits of a checksum, each written as one blank, highest bit first. */
const length = 32
const zero = 0x20
const one = 0x09
const lineEnd = 0x0a
const closingBrace = 0x7d

/**
 * Joins the parts of a line, JSON and a newline, and adds the CRC-32 of the JSON before the newline: 32 blanks, where a space
 * is 0 and a tab is 1. The line remains the same JSON for every reader, including those that reject unknown members.
 */
export function withChecksum(parts: readonly Uint8Array[]): Uint8Array {
  const line = Buffer.concat([...parts, Buffer.alloc(length)])
  const from = line.length - length - 1
  const sum = crc32(line.subarray(0, from))
  for (let bit = 0; bit < length; bit++) line[from + bit] = ((sum << bit) & 0x80000000) === 0 ? zero : one
  line[line.length - 1] = lineEnd
  return line
}

/**
 * Returns whether a line, without its newline, was written with a checksum: lines of earlier versions end with the closing
 * brace of the JSON. This also detects the checksums of a file that was renamed.
 */
export function hasChecksum(line: Uint8Array): boolean {
  return line.at(-1) !== closingBrace
}

/** Returns whether a line, without its newline, ends with the checksum of its content. */
export function hasValidChecksum(line: Uint8Array): boolean {
  const from = line.length - length
  if (from < 0) return false
  let found = 0
  for (const blank of line.subarray(from)) {
    if (blank !== zero && blank !== one) return false
    found = (found << 1) | (blank === one ? 1 : 0)
  }
  return found >>> 0 === crc32(line.subarray(0, from))
}

function crc32(bytes: Uint8Array): number {
  // Load it only here: a program without a spool does not need it.
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}
