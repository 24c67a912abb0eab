import { writevSync } from 'node:fs'

/**
 * Writes to a descriptor and returns the number of bytes that the system has accepted.
 *
 * Not `writeSync` of `node:fs`: it learns from an object that inherits whether its write failed, and why. With `errno` on
 * `Object.prototype` it throws after it has written, and the bytes would be written again; with an accessor `dest` there, a full pipe
 * looks like a broken one. `writevSync` throws what its binding throws.
 *
 * @param position - default: where the file is positioned
 * @throws the system's error.
 */
export function writeSync(
  fd: number,
  bytes: Uint8Array,
  offset = 0,
  length: number = bytes.length - offset,
  position?: number,
): number {
  const isWhole = offset === 0 && length === bytes.length
  return writevSync(fd, [isWhole ? bytes : bytes.subarray(offset, offset + length)], position)
}
