/** Returns the number of newlines in bytes. */
export function countLines(bytes: Uint8Array): number {
  let count = 0
  for (let index = bytes.indexOf(10); index !== -1; index = bytes.indexOf(10, index + 1)) count++
  return count
}
