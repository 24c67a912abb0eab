/** Deeper objects are not simple. */
const maxDepth = 16
/** A decimal number of so many digits is the shortest text of its `number`. */
const maxDigits = 15
/** JavaScript writes numbers with more zeros after the decimal point with an exponent. */
const maxLeadingZeros = 5

/**
 * Returns whether a text is, from a position to its last character but one, the rest of a simple object: see `endOfSimpleValue`.
 *
 * @param start - the position after the opening brace
 */
export function isSimpleObject(text: string, start: number): boolean {
  const bytes = Buffer.from(`${text.slice(start - 1)}\n`)
  return endOfSimpleValue(bytes, 0, 0) === bytes.length - 2
}

/**
 * Returns the position after a simple value of JSON; -1 if it is not simple. A simple value has only printable ASCII characters, no spaces
 * between them, no escapes, and numbers exactly as JavaScript writes them. It can be an object or an array of simple values.
 *
 * @param bytes - bytes that contain a line end after the position
 */
export function endOfSimpleValue(bytes: Uint8Array, start: number, depth = 1): number {
  const first = bytes[start]!
  if (first === quote) return endOfSimpleString(bytes, start)
  if (first === minus || (first >= zero && first <= nine)) return endOfNumber(bytes, start)
  if (first === openBrace) return depth < maxDepth ? endOfMembers(bytes, start + 1, depth + 1) : -1
  if (first === openBracket) return depth < maxDepth ? endOfItems(bytes, start + 1, depth + 1) : -1
  return endOfWord(bytes, start, first)
}

/** Returns the position after the closing quote of a string that begins at a position; -1 if it is not a simple string. */
export function endOfSimpleString(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== quote) return -1
  let at = start + 1
  while (isSimpleUnit[bytes[at]!] === 1) at++
  return bytes[at] === quote ? at + 1 : -1
}

function endOfMembers(bytes: Uint8Array, start: number, depth: number): number {
  let at = start
  if (bytes[at] === closeBrace) return at + 1
  for (;;) {
    at = endOfSimpleString(bytes, at)
    if (at < 0 || bytes[at] !== colon) return -1
    at = endOfSimpleValue(bytes, at + 1, depth)
    if (at < 0) return -1
    const next = bytes[at++]
    if (next === closeBrace) return at
    if (next !== comma) return -1
  }
}

function endOfItems(bytes: Uint8Array, start: number, depth: number): number {
  let at = start
  if (bytes[at] === closeBracket) return at + 1
  for (;;) {
    at = endOfSimpleValue(bytes, at, depth)
    if (at < 0) return -1
    const next = bytes[at++]
    if (next === closeBracket) return at
    if (next !== comma) return -1
  }
}

function endOfNumber(bytes: Uint8Array, start: number): number {
  const isNegative = bytes[start] === minus
  const digits = isNegative ? start + 1 : start
  const point = endOfDigits(bytes, digits)
  const hasLeadingZero = bytes[digits] === zero
  if (point === digits || (hasLeadingZero && point > digits + 1)) return -1
  if (bytes[point] !== dot) {
    const isCanonical = point - digits <= maxDigits && !(isNegative && hasLeadingZero)
    return isCanonical ? point : -1
  }
  const end = endOfDigits(bytes, point + 1)
  if (end === point + 1 || end - digits - 1 > maxDigits || bytes[end - 1] === zero) return -1
  if (!hasLeadingZero) return end
  let zeros = point + 1
  while (bytes[zeros] === zero) zeros++
  return zeros - point - 1 <= maxLeadingZeros ? end : -1
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at]! >= zero && bytes[at]! <= nine) at++
  return at
}

function endOfWord(bytes: Uint8Array, start: number, first: number): number {
  const word = first === 116 ? 'true' : first === 102 ? 'false' : 'null'
  for (let index = 0; index < word.length; index++) if (bytes[start + index] !== word.charCodeAt(index)) return -1
  return start + word.length
}

const quote = 34
const comma = 44
const minus = 45
const dot = 46
const zero = 48
const nine = 57
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** 1 for each character of a simple string. */
const isSimpleUnit: Uint8Array = Uint8Array.from({ length: 256 }, (_, unit) =>
  unit >= 32 && unit <= 126 && unit !== quote && unit !== backslash ? 1 : 0,
)
