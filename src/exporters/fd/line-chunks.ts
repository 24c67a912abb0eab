/**
 * The maximum number of bytes that a pipe writes atomically, so that bytes of other writers do not interleave (POSIX write,
 * PIPE_BUF: 4096 on Linux, at least 512 everywhere).
 */
export const PIPE_BUF: number = process.platform === 'linux' ? 4096 : 512

const NEWLINE = 10

/**
 * Returns where a chunk that starts at `offset` must end so that a shared pipe accepts it atomically: after the last line that
 * ends within PIPE_BUF bytes. A longer line is a separate chunk, and other writers can interleave with it.
 */
export function chunkEnd(bytes: Uint8Array, offset: number): number {
  return bytes.length - offset <= PIPE_BUF ? bytes.length : wholeLinesEnd(bytes, offset, PIPE_BUF)
}

/** Returns the end of the last line that ends within `maxBytes` bytes from `offset`, or of the first line if that is longer. */
export function wholeLinesEnd(bytes: Uint8Array, offset: number, maxBytes: number): number {
  const end = maxBytes < 1 ? 0 : bytes.lastIndexOf(NEWLINE, offset + maxBytes - 1) + 1
  return end > offset ? end : lineEnd(bytes, offset)
}

/** Returns the end of the line that contains the byte at `offset`, including its newline. */
export function lineEnd(bytes: Uint8Array, offset: number): number {
  const newline = bytes.indexOf(NEWLINE, offset)
  return newline < 0 ? bytes.length : newline + 1
}

/** Returns whether the byte at `offset` is the first of a line. */
export function isLineStart(bytes: Uint8Array, offset: number): boolean {
  return offset === 0 || bytes[offset - 1] === NEWLINE
}
