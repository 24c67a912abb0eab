import { classOf, digit, hex, isDigit, letter } from './character-classes.ts'

/** The kinds of words, the parts of a message between spaces, punctuation and joiners. */
export type WordKind = 'literal' | 'number' | 'hex' | 'prefixed number' | 'id'

const maxUnitLength = 3
/** Shorter words of hexadecimal digits without a decimal digit are literal. */
export const minHexLength = 8
const minHexLengthWithDigit = 6
const minIdLength = 5

/**
 * Returns the kind of a word of letters and digits:
 *
 * - `number`: digits, also with a unit or another suffix of at most three letters: `42`, `14ms`, `21T09`, `1h30m`
 * - `hex`: hexadecimal digits that are probably not a word: `deadbeef`, `3f9a2c`, `0x1f`
 * - `prefixed number`: letters, then digits: `worker3`, `v1`
 * - `id`: letters and digits that alternate: `x7Kq2mP9`
 * - `literal`: anything else, including short names such as `k8s`
 */
export function wordKind(text: string, start: number, end: number): WordKind {
  let runs = 0
  let digits = 0
  let lastClass = 0
  let commonClasses = digit | letter | hex
  let lastRunStart = start
  for (let at = start; at < end; at++) {
    const characterClass = classOf(text, at)
    commonClasses &= characterClass
    const isDigitOrLetter = characterClass & (digit | letter)
    if (isDigitOrLetter === digit) digits++
    if (isDigitOrLetter !== lastClass) {
      runs++
      lastRunStart = at
      lastClass = isDigitOrLetter
    }
  }
  const isHex = (commonClasses & hex) !== 0
  const length = end - start
  if (digits === length) return 'number'
  if (isHex && length >= (digits > 0 ? minHexLengthWithDigit : minHexLength)) return 'hex'
  if (digits === 0) return 'literal'
  if (isDigit(text, start)) {
    if (text.charAt(start) === '0' && (text.charAt(start + 1) === 'x' || text.charAt(start + 1) === 'X')) return 'hex'
    return runs === 2 && end - lastRunStart > maxUnitLength ? 'id' : 'number'
  }
  if (runs === 2) return 'prefixed number'
  return length >= minIdLength ? 'id' : 'literal'
}
