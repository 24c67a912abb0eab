import type { PatternPreset } from './text-pattern.ts'
import { followsLetter } from './word-start.ts'

/** The separator between groups of digits: a blank, including no-break ones, a hyphen, or a blank in form encoding (`+`, `%20`). */
const gap = String.raw`(?:[ +\u00a0\u2007\u2009\u202f\u2010-\u2013-]|%20)`

/**
 * Numbers of payment cards (ISO/IEC 7812-1): 12 to 19 digits, contiguous or in groups separated by a blank or a hyphen, in a range that
 * card networks issue and with a correct check digit (Luhn), also on magnetic tracks (ISO/IEC 7813). Digits after a decimal point and
 * inside hexadecimal numbers are not matched.
 */
export const card: PatternPreset = {
  least: 12,
  longest: 64,
  finders: [
    {
      anchor: { at: String.raw`\d`, where: String.raw`(?<!\d\d)(?:${gap}?\d){11}`, least: 12 },
      find({ text, end }, take) {
        digits.lastIndex = 0
        for (let found = digits.exec(text); found !== null && found.index < end; found = digits.exec(text))
          if (found[0].length >= fewest) takeCards(groupsOf(text, found[0], found.index), take)
      },
    },
  ],
}

/** Groups of digits, not inside a percent-encoded character, whose digits are not part of a number. */
const digits = new RegExp(String.raw`(?<!%\d?)\d+(?:${gap}\d+)*`, 'g')
const group = new RegExp(String.raw`${gap}?(\d+)`, 'g')
const fewest = 12
const most = 19
/** The fewest digits of a group on a card. */
const leastGroup = 3

interface Group {
  readonly text: string
  readonly from: number
}

/** Returns the adjacent groups of digits. A group that is part of a word or of a fraction is excluded. */
function groupsOf(text: string, run: string, at: number): Group[] {
  const groups = [...run.matchAll(group)].map(({ 0: whole, 1: digits = '', index }) => {
    return { text: digits, from: at + index + whole.length - digits.length }
  })
  if (isHexadecimal(text, at + run.length)) groups.pop()
  const first = groups[0]?.text.length ?? 0
  if ((followsLetter(text, at) && isInHexadecimal(text, at, first)) || isFraction(text, at)) groups.shift()
  return groups
}

/** Finds the groups that form a card number. The groups before and after it may be other numbers. */
function takeCards(groups: readonly Group[], take: (from: number, to: number) => void): void {
  for (let first = 0; first < groups.length; first++) {
    let number = ''
    for (let last = first; last < groups.length && number.length < most; last++) {
      const { text } = groups[last]!
      if (text.length < leastGroup) break
      number += text
      if (!isCard(number)) continue
      take(groups[first]!.from, groups[last]!.from + groups[last]!.text.length)
      first = last
      break
    }
  }
}

/** Returns whether digits are a card number. */
export function isCard(number: string): boolean {
  return number.length >= fewest && number.length <= most && isIssued(number) && hasCheckDigit(number)
}

/** The ranges of the first four digits and the number of digits, as published by the networks for merchants. */
const ranges: readonly (readonly [from: number, to: number, fewest: number, most: number])[] = [
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
  const first = Number(number.slice(0, 4))
  const { length } = number
  return ranges.some(([from, to, fewest, most]) => first >= from && first <= to && length >= fewest && length <= most)
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

/** Returns whether the letters after a number make it hexadecimal. On track 2 of a card a `D` may end the number. */
function isHexadecimal(text: string, at: number): boolean {
  hexadecimalEnd.lastIndex = at
  return hexadecimalEnd.test(text)
}

const hexadecimalEnd = /(?!D\d{7})[A-Fa-f]+(?![A-Za-z])/y

/**
 * Returns whether the letters before a number make it hexadecimal. The letters of a word (`PAN4111`) do not, nor does the start sentinel of
 * track 1 (`%B4111`), nor a single letter before all digits, because a hexadecimal number has more letters.
 */
function isInHexadecimal(text: string, at: number, digits: number): boolean {
  const before = text.slice(Math.max(0, at - longestWord), at)
  return (
    /(?:^|[^A-Za-z%]|0x)[A-Fa-f]+$/i.test(before) && !(digits > fewest && /(?:^|[\s"'=:;,([{])[A-Fa-f]$/.test(before))
  )
}

const longestWord = 16

function isFraction(text: string, at: number): boolean {
  return text[at - 1] === '.' && /\d/.test(text[at - 2] ?? '')
}
