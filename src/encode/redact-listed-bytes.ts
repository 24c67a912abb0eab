import { defaultReplacement } from '../redact/censor.ts'
import type { TextPatterns } from '../redact/patterns/text-patterns.ts'

/**
 * A text for `redactListedBytes` lists at most this many bytes of a Buffer in addition to the first `maxShownBytes`, which stay in the
 * result. A match that begins in the first ones can extend into the additional ones, so these are searched too. If a pattern can have
 * longer matches (`lookaheadLength`), all listed bytes of a truncated Buffer are redacted.
 */
export const maxLookaheadBytes = 65_536

/**
 * Returns the text of a value with the bytes and lists of numbers that match a pattern redacted. `String` and JSON write bytes as numbers
 * (`67,78`); Node's `util.inspect` writes a Buffer and an ArrayBuffer as hexadecimal digits (`43 4e`), and a list and every other typed
 * array as numbers (`67, 78`).
 *
 * @param maxShownBytes - how many bytes of a truncated Buffer stay in the text; the bytes after them are only searched for matches that
 *   begin before them
 */
export function redactListedBytes(text: string, patterns: TextPatterns, maxShownBytes: number = Infinity): string {
  if (!listedBytes.test(text)) return text
  return text
    .replace(listedHexBytes, (shown, digits: string, truncation: string | undefined) => {
      const pairs = digits.split(' ')
      const mayContainLongerMatch = truncation !== undefined && patterns.lookaheadLength > maxLookaheadBytes
      if (mayContainLongerMatch || patterns.matchesBytes(Uint8Array.from(pairs, (pair) => parseInt(pair, 16))))
        return defaultReplacement
      return truncation === undefined || pairs.length <= maxShownBytes
        ? shown
        : cutDigits(pairs, maxShownBytes, truncation)
    })
    .replace(listedNumbers, (list) => (listMatches(list, patterns) ? defaultReplacement : list))
}

/** Returns the first bytes and the count of the others, in the form of Node's `util.inspect`. */
function cutDigits(pairs: readonly string[], maxShownBytes: number, truncation: string): string {
  const more = Number(/\d+/.exec(truncation)![0]) + pairs.length - maxShownBytes
  return `${pairs.slice(0, maxShownBytes).join(' ')} ... ${more} more byte${more > 1 ? 's' : ''}`
}

/** Returns whether a pattern matches a run of bytes in the list. A number over 255 ends a run. */
function listMatches(list: string, patterns: TextPatterns): boolean {
  let bytes: number[] = []
  for (const number of list.split(',')) {
    const byte = Number(number)
    if (byte <= 255) bytes.push(byte)
    else if (patterns.matchesBytes(Uint8Array.from(bytes))) return true
    else bytes = []
  }
  return patterns.matchesBytes(Uint8Array.from(bytes))
}

/** A fast check: two bytes as hexadecimal digits, or two numbers of a list. */
const listedBytes = /[0-9a-f]{2} [0-9a-f]{2}|\d,\s*\d/
/** Bytes as two hexadecimal digits each, and the text with which Node ends a truncated Buffer. */
const listedHexBytes = /(?<![0-9a-z])([0-9a-f]{2}(?: [0-9a-f]{2})+)(?![0-9a-z])( \.\.\. \d+ more bytes?)?/g
/** Two or more numbers of up to three digits, separated by commas. */
const listedNumbers = /(?<![\w.])\d{1,3}(?:,\s*\d{1,3})+(?![\w.])/g
