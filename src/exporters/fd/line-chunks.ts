/**
 * The most bytes that a pipe takes in one piece, so that no other writer's bytes fall between (POSIX write, PIPE_BUF:
 * 4096 on Linux, at least 512 everywhere).
 */
export const PIPE_BUF: number = process.platform === 'linux' ? 4096 : 512

const NEWLINE = 10

/**
 * Where a piece that starts at `offset` must end so that a shared pipe takes it whole: after the last line that ends
 * within PIPE_BUF bytes. A longer line is one piece by itself, and other writers may then fall inside it.
 */
export function pieceEnd(bytes: Uint8Array, offset: number): number {
  return bytes.length - offset <= PIPE_BUF ? bytes.length : wholeLinesEnd(bytes, offset, PIPE_BUF)
}

/** Where the last line ends that ends within `most` bytes from `offset` on; the first one's end if none does. */
export function wholeLinesEnd(bytes: Uint8Array, offset: number, most: number): number {
  const end = most < 1 ? 0 : bytes.lastIndexOf(NEWLINE, offset + most - 1) + 1
  return end > offset ? end : lineEnd(bytes, offset)
}

/** Where the line that holds the byte at `offset` ends, its newline included. */
export function lineEnd(bytes: Uint8Array, offset: number): number {
  const newline = bytes.indexOf(NEWLINE, offset)
  return newline < 0 ? bytes.length : newline + 1
}

/** Whether the byte at `offset` would start a line. */
export function startsLine(bytes: Uint8Array, offset: number): boolean {
  return offset === 0 || bytes[offset - 1] === NEWLINE
}
