/** Words that are operators. As a name or a value they need quotes. */
const reservedWords: readonly string[] = ['and', 'or', 'not', 'in']

/** Returns whether a word is an operator, in any case. */
export function isReservedWord(word: string): boolean {
  return word.length <= 3 && reservedWords.includes(word.toLowerCase())
}

/** The spellings of the operators that compare a key with one value, the longest first. */
export const comparisonSymbols = ['==', '!=', '>=', '<=', '=', '>', '<'] as const

/** Operators between a key and its value that are words, without `not`. */
export const wordOperators: ReadonlyMap<string, 'in' | 'contains' | 'like' | 'regexp'> = new Map([
  ['in', 'in'],
  ['contains', 'contains'],
  ['contain', 'contains'],
  ['like', 'like'],
  ['matches', 'regexp'],
  ['match', 'regexp'],
])

/** A part of a key without quotes, between dots and brackets. */
export const bareName: RegExp = /[^\s'"`()[\],=!<>~?|&.]+/y

/** A value without quotes. */
export const bareValue: RegExp = /[^\s'"`(),=!<>~|&]+/y

/** A number as in JSON. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/**
 * Returns the number that a text without quotes or a text attribute represents, in the syntax of JSON; undefined for other texts. The
 * number is a bigint if it is an integer that a number cannot represent exactly.
 */
export function numberOf(text: string): number | bigint | undefined {
  if (text.length > maxNumberLength || !jsonNumber.test(text)) return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return undefined
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(text)) return BigInt(text)
  return number + 0 // 0 for -0
}

const maxNumberLength = 400

/**
 * Returns the number that a value without quotes represents. A value with an exponent, such as `1e3`, is kept as a text, because it can be a
 * part of a hexadecimal id; as a text it is also equal to the number.
 */
export function bareNumberOf(text: string): number | bigint | undefined {
  return /[eE]/.test(text) ? undefined : numberOf(text)
}
