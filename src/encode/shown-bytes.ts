import { redacted } from '../redact/censor.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'

/** The number of bytes that are searched if the text may show only some of them. A longer match cannot be ruled out. */
export const maxSearchedChars = 65_536

/**
 * Returns the text of a value with the bytes and lists of numbers that match a pattern redacted. `String` and JSON write bytes as numbers
 * (`67,78`); Node's `util.inspect` writes a Buffer and an ArrayBuffer as hexadecimal digits (`43 4e`), and a list and every other typed
 * array as numbers (`67, 78`).
 *
 * @param most - how many bytes of a truncated Buffer stay in the text; the bytes after them are only searched for matches that begin
 *   before them
 */
export function redactListedBytes(text: string, patterns: TextPatterns, most: number = Infinity): string {
  if (!mayShowBytes.test(text)) return text
  return text
    .replace(hexDigits, (shown, digits: string, cut: string | undefined) => {
      const pairs = digits.split(' ')
      const isUndecided = cut !== undefined && patterns.longest > maxSearchedChars
      if (isUndecided || patterns.findIn(Uint8Array.from(pairs, (pair) => parseInt(pair, 16)))) return redacted
      return cut === undefined || pairs.length <= most ? shown : cutDigits(pairs, most, cut)
    })
    .replace(numbers, (list) => (listHolds(list, patterns) ? redacted : list))
}

function cutDigits(pairs: readonly string[], most: number, cut: string): string {
  const more = Number(/\d+/.exec(cut)![0]) + pairs.length - most
  return `${pairs.slice(0, most).join(' ')} ... ${more} more byte${more > 1 ? 's' : ''}`
}

/** Returns whether a pattern matches a run of bytes in the list. A number over 255 ends a run. */
function listHolds(list: string, patterns: TextPatterns): boolean {
  let bytes: number[] = []
  for (const number of list.split(',')) {
    const byte = Number(number)
    if (byte <= 255) bytes.push(byte)
    else if (patterns.findIn(Uint8Array.from(bytes))) return true
    else bytes = []
  }
  return patterns.findIn(Uint8Array.from(bytes))
}

const mayShowBytes = /[0-9a-f]{2} [0-9a-f]{2}|\d,\s*\d/
const hexDigits = /(?<![0-9a-z])([0-9a-f]{2}(?: [0-9a-f]{2})+)(?![0-9a-z])( \.\.\. \d+ more bytes?)?/g
const numbers = /(?<![\w.])\d{1,3}(?:,\s*\d{1,3})+(?![\w.])/g
