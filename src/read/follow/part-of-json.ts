const openBrace = 0x7b
const closeBrace = 0x7d
const space = 0x20
/** A longer line that ends with a brace is not parsed, but is taken as complete. */
const maxParsedBytes = 1_048_576

/**
 * Returns whether an incomplete line is a part of a JSON object, also after a prefix. A program that writes its buffer when it is full ends
 * it inside a line, and writes the rest with the next lines. The parts alone are not records.
 */
export function isPartOfJson(line: Buffer): boolean {
  const start = line.indexOf('{"')
  if (start < 0) return line.at(-1) === openBrace
  let end = line.length
  while (line[end - 1]! <= space) end--
  return line[end - 1] !== closeBrace || (end - start < maxParsedBytes && !isJson(line.toString('utf8', start, end)))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
