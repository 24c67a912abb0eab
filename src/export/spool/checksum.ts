/** `,"crc32":"0a1b2c3d"}`: what comes after everything that the checksum is of. */
const member = ',"crc32":"'
const digits = 8
const tailLength = member.length + digits + '"}'.length
const tailPattern = /^,"crc32":"([0-9a-f]{8})"\}$/
const end = Buffer.from('}\n')

/**
 * Joins the parts of a line, a JSON object and a newline, and adds the CRC-32 of all bytes before it as the last member. OTLP
 * has readers ignore members that they do not know, so the line remains a request of OTLP/JSON.
 */
export function withChecksum(parts: readonly Uint8Array[]): Uint8Array {
  const line = Buffer.concat([...parts, Buffer.alloc(tailLength - 1)])
  const from = line.length - tailLength - 1
  const sum = crc32(line.subarray(0, from)).toString(16).padStart(digits, '0')
  line.write(`${member}${sum}"`, from, 'latin1')
  line.set(end, line.length - end.length)
  return line
}

/** Whether a line, without its newline, ends in the checksum of what is before. */
export function hasValidChecksum(line: Uint8Array): boolean {
  const from = line.length - tailLength
  if (from < 0) return false
  const tail = Buffer.from(line.buffer, line.byteOffset + from, tailLength).toString('latin1')
  const found = tailPattern.exec(tail)?.[1]
  return found !== undefined && Number.parseInt(found, 16) === crc32(line.subarray(0, from))
}

function crc32(bytes: Uint8Array): number {
  // Loaded here only: a program without a spool does not need it.
  return process.getBuiltinModule('node:zlib').crc32(bytes)
}
