import type { PatternPreset } from './text-pattern.ts'
import { followsLetter } from './word-start.ts'

/**
 * Numbers of payment cards (ISO/IEC 7812-1): 12 to 19 digits in one piece or in groups with a space or `-` between, of a range
 * that card networks issue and with a right check digit (Luhn). Digits behind a decimal point and inside words are none.
 */
export const card: PatternPreset = {
  least: 12,
  longest: 64,
  finders: [
    {
      anchor: { at: String.raw`\d`, where: String.raw`(?<!\d\d)(?:(?:[ +-]|%20)?\d){11}`, least: 12 },
      find({ text, end }, take) {
        digits.lastIndex = 0
        for (let found = digits.exec(text); found !== null && found.index < end; found = digits.exec(text))
          if (found[0].length >= fewest) takeCards(groupsOf(text, found[0], found.index), take)
      },
    },
  ],
}

/** Not in the middle of an encoded character, whose digits are none of a number. */
const digits = /(?<!%\d?)\d+(?:(?:[ +-]|%20)\d+)*/g
const group = /(?:%20|[ +-])?(\d+)/g
const fewest = 12
const most = 19
/** Digits that stand together on a card. */
const leastGroup = 3

interface Group {
  readonly text: string
  readonly from: number
}

/** The groups of digits that stand together. One that is part of a word or of a fraction is no part of a number. */
function groupsOf(text: string, run: string, at: number): Group[] {
  const groups = [...run.matchAll(group)].map(({ 0: whole, 1: digits = '', index }) => {
    return { text: digits, from: at + index + whole.length - digits.length }
  })
  if (isLetter(text.charCodeAt(at + run.length))) groups.pop()
  if (followsLetter(text, at) || isFraction(text, at)) groups.shift()
  return groups
}

/** The groups that make a card together: those in front of it and behind may be other numbers. */
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

/** Whether digits are the number of a card. */
export function isCard(number: string): boolean {
  return number.length >= fewest && number.length <= most && isIssued(number) && hasCheckDigit(number)
}

/** The first four digits, and how many there are in all: the ranges that networks publish for those who take their cards. */
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
  [5600, 6999, 12, 19], // Maestro, Discover, UnionPay and the national ones among them
  [2200, 2204, 16, 19], // Mir
]

function isIssued(number: string): boolean {
  const first = Number(number.slice(0, 4))
  const { length } = number
  return ranges.some(([from, to, fewest, most]) => first >= from && first <= to && length >= fewest && length <= most)
}

/** ISO/IEC 7812-1 annex B: every second digit counts twice, from the right. */
function hasCheckDigit(number: string): boolean {
  let sum = 0
  for (let i = number.length - 1, twice = false; i >= 0; i--, twice = !twice) {
    const digit = number.charCodeAt(i) - 48
    sum += !twice ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
  }
  return sum % 10 === 0
}

/** `_` stands between a name and a number. */
function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

function isFraction(text: string, at: number): boolean {
  return text[at - 1] === '.' && /\d/.test(text[at - 2] ?? '')
}
