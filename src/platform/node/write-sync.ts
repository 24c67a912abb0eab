import { writeSync as nodeWriteSync, writevSync } from 'node:fs'

/**
 * `writeSync` of `node:fs`, also if another library has put names on `Object.prototype` from which Node's function learns whether its
 * write failed, and why: it reads them from an object that inherits. With `errno` there it throws after it has written, and the bytes
 * would be written again; with an accessor `dest`, a full pipe looks like a broken one. `writevSync` throws what its binding throws, but
 * needs an array and a view for each call.
 *
 * @param position - default: where the file is positioned
 * @returns the number of bytes that the system has accepted.
 * @throws the system's error.
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
