/** Deeper objects are not simple. */
const maxDepth = 16
/** A decimal number of so many digits is the shortest text of its `number`. */
const maxDigits = 15
/** JavaScript writes numbers with more zeros after the decimal point with an exponent. */
const maxLeadingZeros = 5

/**
 * Returns whether a text is, from a position to its last character but one, the rest of a simple JSON object. It is checked
 * faster than it is parsed. A simple object has only printable ASCII characters, no spaces between them, no escapes, and numbers exactly as
 * JavaScript writes them. Its values can be objects and arrays.
 *
 * @param start - the position after the opening brace
 */
export function isSimpleObject(text: string, start: number): boolean {
  return endOfMembers(text, start, 1) === text.length - 1
}

/** Returns the position after the closing brace; -1 if the object is not simple. */
function endOfMembers(text: string, start: number, depth: number): number {
  let at = start
  if (text.charCodeAt(at) === closeBrace) return at + 1
  for (;;) {
    if (text.charCodeAt(at) !== quote) return -1
    at = endOfString(text, at + 1)
    if (at < 0 || text.charCodeAt(at) !== colon) return -1
    at = endOfValue(text, at + 1, depth)
    if (at < 0) return -1
    const next = text.charCodeAt(at++)
    if (next === closeBrace) return at
    if (next !== comma) return -1
  }
}

function endOfItems(text: string, start: number, depth: number): number {
  let at = start
  if (text.charCodeAt(at) === closeBracket) return at + 1
  for (;;) {
    at = endOfValue(text, at, depth)
    if (at < 0) return -1
    const next = text.charCodeAt(at++)
    if (next === closeBracket) return at
    if (next !== comma) return -1
  }
}

function endOfValue(text: string, start: number, depth: number): number {
  const first = text.charCodeAt(start)
  if (first === quote) return endOfString(text, start + 1)
  if (first === minus || (first >= zero && first <= nine)) return endOfNumber(text, start)
  if (first === openBrace) return depth < maxDepth ? endOfMembers(text, start + 1, depth + 1) : -1
  if (first === openBracket) return depth < maxDepth ? endOfItems(text, start + 1, depth + 1) : -1
  if (text.startsWith('true', start) || text.startsWith('null', start)) return start + 4
  return text.startsWith('false', start) ? start + 5 : -1
}

/** Returns the position after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote) return at + 1
    // The end of the text is NaN.
    if (!(unit >= space && unit < del) || unit === backslash) return -1
  }
}

function endOfNumber(text: string, start: number): number {
  const isNegative = text.charCodeAt(start) === minus
  const digits = isNegative ? start + 1 : start
  const point = endOfDigits(text, digits)
  const hasLeadingZero = text.charCodeAt(digits) === zero
  if (point === digits || (hasLeadingZero && point > digits + 1)) return -1
  if (text.charCodeAt(point) !== dot) {
    const isCanonical = point - digits <= maxDigits && !(isNegative && hasLeadingZero)
    return isCanonical ? point : -1
  }
  const end = endOfDigits(text, point + 1)
  if (end === point + 1 || end - digits - 1 > maxDigits || text.charCodeAt(end - 1) === zero) return -1
  if (!hasLeadingZero) return end
  let zeros = point + 1
  while (text.charCodeAt(zeros) === zero) zeros++
  return zeros - point - 1 <= maxLeadingZeros ? end : -1
}

function endOfDigits(text: string, start: number): number {
  let at = start
  for (let unit = text.charCodeAt(at); unit >= zero && unit <= nine; unit = text.charCodeAt(at)) at++
  return at
}

const space = 32
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
const del = 127
