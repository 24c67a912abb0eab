/** Returns the position after the next line end, or the end of the bytes. */
export function endOfLine(bytes: Buffer, start: number): number {
  const newline = bytes.indexOf(10, start)
  return newline < 0 ? bytes.length : newline + 1
}

/**
 * Returns whether a line begins as JSON that is not an envelope: Docker's begins with `{"log":"`, those of pm2 and stern with
 * `{"message":"{\"`, and the names of the fields of the journal with `_` or a capital letter.
 */
export function isPlainJson(bytes: Buffer, start: number): boolean {
  if (bytes[start] !== openBrace || bytes[start + 1] !== quote) return false
  const first = bytes[start + 2]!
  if (first === lowerL) return !(bytes[start + 3] === 111 && bytes[start + 4] === 103 && bytes[start + 5] === quote)
  if (first === lowerM) return !(bytes[start + 12] === openBrace && bytes[start + 13] === backslash)
  return first !== underscore && !(first >= 65 && first <= 90)
}

const quote = 34
const underscore = 95
const lowerL = 108
const lowerM = 109
const backslash = 92
const openBrace = 123
