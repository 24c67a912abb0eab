import type { PatternPreset } from './text-pattern.ts'
import { followsLetter } from './word-start.ts'

/** The separator between groups of digits: a blank (also a no-break one), a hyphen, or a blank in form encoding (`+`, `%20`). */
const separator = String.raw`(?:[ +\u00a0\u2007\u2009\u202f\u2010-\u2013-]|%20)`

/**
 * Numbers of payment cards (ISO/IEC 7812-1): 12 to 19 digits, contiguous or in groups separated by a blank or a hyphen, in a range that
 * card networks issue and with a correct check digit (Luhn), also on magnetic tracks (ISO/IEC 7813). Digits after a decimal point and
 * inside hexadecimal numbers are not matched.
 */
export const card: PatternPreset = {
  minTextLength: 12,
  lookaheadLength: 64,
  finders: [
    {
      anchor: { characters: String.raw`\d`, context: String.raw`(?<!\d\d)(?:${separator}?\d){11}`, minTextLength: 12 },
      find({ text, startLimit }, addMatch) {
        digitGroups.lastIndex = 0
        for (
          let match = digitGroups.exec(text);
          match !== null && match.index < startLimit;
          match = digitGroups.exec(text)
        )
          if (match[0].length >= minDigits) findCards(groupsOf(text, match[0], match.index), addMatch)
      },
    },
  ],
}

/** Groups of digits. The digits of a percent-encoded character (`%3A`) are excluded, because they are not part of a number. */
const digitGroups = new RegExp(String.raw`(?<!%\d?)\d+(?:${separator}\d+)*`, 'g')
const digitGroup = new RegExp(String.raw`${separator}?(\d+)`, 'g')
const minDigits = 12
const maxDigits = 19
/** The minimum number of digits of a group on a card. */
const minGroupDigits = 3

interface Group {
  readonly digits: string
  /** The position of its first digit. */
  readonly from: number
}

/**
 * Returns the groups of digits in `groupsText`, which is at `at` in the text. The last group is excluded if a hexadecimal number continues
 * after it, and the first one if it ends such a number or follows a decimal point.
 */
function groupsOf(text: string, groupsText: string, at: number): Group[] {
  const groups = [...groupsText.matchAll(digitGroup)].map(({ 0: whole, 1: digits = '', index }) => {
    return { digits, from: at + index + whole.length - digits.length }
  })
  if (isHexadecimalAfter(text, at + groupsText.length)) groups.pop()
  const firstLength = groups[0]?.digits.length ?? 0
  if ((followsLetter(text, at) && isHexadecimalBefore(text, at, firstLength)) || isAfterDecimalPoint(text, at))
    groups.shift()
  return groups
}

/** Finds the groups that form a card number. The groups before and after it may be other numbers. */
function findCards(groups: readonly Group[], addMatch: (from: number, to: number) => void): void {
  for (let first = 0; first < groups.length; first++) {
    let number = ''
    for (let last = first; last < groups.length && number.length < maxDigits; last++) {
      const { digits } = groups[last]!
      if (digits.length < minGroupDigits) break
      number += digits
      if (!isCard(number)) continue
      addMatch(groups[first]!.from, groups[last]!.from + digits.length)
      first = last
      break
    }
  }
}

/** Returns whether digits are a card number: in an issued range and with a correct check digit. */
export function isCard(number: string): boolean {
  return number.length >= minDigits && number.length <= maxDigits && isIssued(number) && hasCheckDigit(number)
}

/** The ranges of the first four digits, with the minimum and maximum number of digits, as published by the networks for merchants. */
const ranges: readonly (readonly [lowest: number, highest: number, minDigits: number, maxDigits: number])[] = [
  [4000, 4999, 13, 19], // Visa
  [5100, 5599, 16, 16], // Mastercard
  [2221, 2720, 16, 16],
  [3400, 3499, 15, 15], // American Express
  [3700, 3799, 15, 15],
  [3000, 3059, 14, 19], // Diners Club
  [3095, 3095, 14, 19],
  [3600, 3699, 14, 19],
  [3800, 3999, 14, 19],
  [3528, 3589, 16, 19], // JCB
  [5000, 5099, 12, 19], // Maestro
  [5600, 6999, 12, 19], // Maestro, Discover, UnionPay and national networks in the same range
  [2200, 2204, 16, 19], // Mir
]

function isIssued(number: string): boolean {
  const firstFour = Number(number.slice(0, 4))
  const { length } = number
  return ranges.some(
    ([lowest, highest, min, max]) => firstFour >= lowest && firstFour <= highest && length >= min && length <= max,
  )
}

/** Returns whether the Luhn check digit is correct (ISO/IEC 7812-1 annex B): every second digit counts twice, from the right. */
function hasCheckDigit(number: string): boolean {
  let sum = 0
  for (let i = number.length - 1, twice = false; i >= 0; i--, twice = !twice) {
    const digit = number.charCodeAt(i) - 48
    sum += !twice ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}

/** Returns whether letters at `at` continue a hexadecimal number. A `D` before digits does not, because it ends the number on track 2. */
function isHexadecimalAfter(text: string, at: number): boolean {
  hexadecimalLetters.lastIndex = at
  return hexadecimalLetters.test(text)
}

const hexadecimalLetters = /(?!D\d{7})[A-Fa-f]+(?![A-Za-z])/y

/**
 * Returns whether the letters before a number make it hexadecimal. The letters of a word (`PAN4111`) do not, nor does the start sentinel of
 * track 1 (`%B4111`), nor a single letter at the start of a word before more than 12 digits (`digits`), because a hexadecimal number
 * usually has more letters.
 */
function isHexadecimalBefore(text: string, at: number, digits: number): boolean {
  const before = text.slice(Math.max(0, at - maxLettersBefore), at)
  return (
    /(?:^|[^A-Za-z%]|0x)[A-Fa-f]+$/i.test(before) &&
    !(digits > minDigits && /(?:^|[\s"'=:;,([{])[A-Fa-f]$/.test(before))
  )
}

/** How many UTF-16 units before a number are searched for letters. */
const maxLettersBefore = 16

function isAfterDecimalPoint(text: string, at: number): boolean {
  return text[at - 1] === '.' && /\d/.test(text[at - 2] ?? '')
}
