import { writeSync as nodeWriteSync, writevSync } from 'node:fs'

/**
 * `writeSync` of `node:fs`. Returns the number of bytes that the system has accepted, also if another library has put `errno` or
 * `error` on `Object.prototype`: Node's function then throws after it has written, and the bytes would be written again.
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
  // Node passes `{}` to its binding, and reads these two members of it. `writevSync` throws the binding's error itself.
  if ('errno' in Object.prototype || 'error' in Object.prototype) {
    return writevSync(fd, [bytes.subarray(offset, offset + length)], position)
  }
  return nodeWriteSync(fd, bytes, offset, length, position)
}
