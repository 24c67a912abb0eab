import { fstatSync, readSync } from 'node:fs'

const BLOCK_BYTES = 65_536
const NEWLINE = 10

/**
 * Returns the offset in a regular file at which its last lines start. The file is read backward from its end, in blocks. Bytes after the
 * last newline count as a line.
 *
 * @param lines - The number of lines. With 0, the result is the start of an incomplete last line, or the end of the file.
 */
export function tailStart(fd: number, lines: number): number {
  const { size } = fstatSync(fd)
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  // The newline of the last line ends it, and does not start another one.
  let remaining = lines
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - BLOCK_BYTES)
    const count = readFully(fd, block, end - start, start)
    if (end === size && lines > 0 && block[count - 1] !== NEWLINE) remaining--
    let index = count
    while ((index = index === 0 ? -1 : block.lastIndexOf(NEWLINE, index - 1)) !== -1) {
      if (remaining-- === 0) return start + index + 1
    }
    end = start
  }
  return 0
}

/** Reads `length` bytes, or fewer if the file has become shorter. Returns their number. */
function readFully(fd: number, target: Buffer, length: number, position: number): number {
  let count = 0
  while (count < length) {
    const read = readSync(fd, target, count, length - count, position + count)
    if (read === 0) break
    count += read
  }
  return count
}
