import { writeSync as nodeWriteSync, writevSync } from 'node:fs'

/**
 * Calls `writeSync` of `node:fs`, or `writevSync` if another library has defined `errno` or a similar member on `Object.prototype`. Node
 * reports an error of `writeSync` in members of an object that inherits from it. With an inherited `errno`, `writeSync` throws after it
 * has written, and the bytes would be written again; with an inherited accessor `dest`, a full pipe looks like a broken one. `writevSync`
 * is not affected, but needs an array and a view for each call.
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
  if (isWriteErrorPolluted()) return writevSync(fd, [bytes.subarray(offset, offset + length)], position)
  return nodeWriteSync(fd, bytes, offset, length, position)
}

/** Returns whether `Object.prototype` has a member in which Node reports an error of `writeSync`. */
function isWriteErrorPolluted(): boolean {
  const { prototype } = Object
  return (
    'errno' in prototype || 'error' in prototype || 'path' in prototype || 'dest' in prototype || 'message' in prototype
  )
}
