import { writeSync as nodeWriteSync, writevSync } from 'node:fs'

/**
 * Calls `writeSync` of `node:fs` safely even if another library has defined names on `Object.prototype` that Node uses to
 * detect a failed write and its reason: Node reads them from an object that inherits. With `errno` there, Node throws after it
 * has written, and the bytes would be written again; with an accessor `dest`, a full pipe looks like a broken one. `writevSync`
 * throws what its binding throws, but needs an array and a view for each call.
 *
 * @param position - The file position; by default the current one.
 * @returns The number of bytes that the system has accepted.
 * @throws The system's error.
 */
export function writeSync(
  fd: number,
  bytes: Uint8Array,
  offset = 0,
  length: number = bytes.length - offset,
  position?: number,
): number {
  if (isErrorPolluted()) return writevSync(fd, [bytes.subarray(offset, offset + length)], position)
  return nodeWriteSync(fd, bytes, offset, length, position)
}

function isErrorPolluted(): boolean {
  const { prototype } = Object
  return (
    'errno' in prototype || 'error' in prototype || 'path' in prototype || 'dest' in prototype || 'message' in prototype
  )
}
