import { blankCharacters, isBlank } from './blank.ts'
import { isPassName, isUnambiguousSecretName, isSecretHeader, isSecretName, nameEndingSource } from './secret-names.ts'
import { usualMinTextLength, type PatternFinder, type SearchedText } from './text-pattern.ts'
import { unquotedValue, unquotedValueEnd, countBackslashesBefore, quoteAt, quotedEnd, matchEnd } from './value-ends.ts'

/**
 * The text before a value: the end of a name, optionally in quotes, which are escaped in nested JSON, or in brackets (`user[password]`),
 * then the sign between name and value.
 */
const nameAndSign = String.raw`(?:${nameEndingSource})\\{0,15}["']?(?:\[?\]|%5[Dd])?[${blankCharacters}]*[=:]`

/** Finds values after the names of secrets, in headers, URLs, forms, settings, programs and JSON. The names stay. */
export const namedSecrets: PatternFinder = {
  anchor: { characters: '=:', context: `(?<=${nameAndSign})`, minTextLength: usualMinTextLength },
  find: findNamedSecrets,
}

const signAfterName = new RegExp(`[=:](?<=${nameAndSign})`, 'g')
const maxNameLength = 40
/** The prefix of a string literal in source code: `b"`, `@"`. */
const stringPrefix = /[bBfFrRuULNE@$]{1,2}(?=["'])/y

/** Passes the values to `addMatch`: those in `name=value`, `name: value` and `"name":"value"`, and in these forms inside a JSON string. */
function findNamedSecrets({ text, startLimit }: SearchedText, addMatch: (from: number, to: number) => void): void {
  signAfterName.lastIndex = 0
  for (let match = signAfterName.exec(text); match !== null; match = signAfterName.exec(text)) {
    const at = match.index
    const nameEnd = bracketStart(text, spaceStart(text, at))
    const isQuoted = text[nameEnd - 1] === '"' || text[nameEnd - 1] === "'"
    const name = nameBefore(text, isQuoted ? nameEnd - 1 - countBackslashesBefore(text, nameEnd - 1, 0) : nameEnd)
    if (nameEnd - name.length >= startLimit) return
    if (name.length < minNameLength || !isSecretName(name)) continue
    const to = addValue(text, { name, at, isQuoted, isInCodeSpan: text[nameEnd - name.length - 1] === '`' }, addMatch)
    signAfterName.lastIndex = Math.max(to, at + 1)
  }
}

/** A name with the sign after it. */
interface NamePart {
  readonly name: string
  /** The position of the `=` or `:` after it. */
  readonly at: number
  readonly isQuoted: boolean
  /** Whether a backtick precedes the name: a code span in Markdown, in which a backtick ends the value. */
  readonly isInCodeSpan: boolean
}

/**
 * Passes the value of a name to `addMatch` if it is likely to be a secret. Returns the position after the value; 0 if the text after the
 * sign is not the value of the name.
 */
function addValue(text: string, namePart: NamePart, addMatch: (from: number, to: number) => void): number {
  const { name, at, isQuoted, isInCodeSpan } = namePart
  const sign = signAt(text, at)
  const quoteStart = skipStringPrefix(text, sign.end)
  const quote = quoteAt(text, quoteStart, isInCodeSpan)
  const from = quoteStart + quote.length
  if (quote !== '') {
    const to = quotedEnd(text, from, quote)
    if (to > from) addMatch(from, to)
    return to
  }
  const beginning = text.slice(from, from + maxInspectedLength)
  const isList = inspectedList.test(beginning)
  const isAssigned = sign.isAssignment || isQuoted || isList || isSecretHeader(name)
  if (!isAssigned && !(isUnambiguousSecretName(name) && isLikelySecret(firstWordOf(beginning), sign.hasBlockIndicator)))
    return 0
  const to = unquotedValueEnd(text, from, name, isQuoted || isList)
  if (to - from <= maxLiteralLength && isLiteral(name, text.slice(from, to))) return to
  if (to > from) addMatch(from, to)
  return to
}

/** The maximum length of the beginning of a value that is inspected to decide whether it is a secret, in UTF-16 units. */
const maxInspectedLength = 64

/** The signs `=`, `:`, `:=`, `==`, `===` and `=>`, and `: >` or `: |` of a block scalar in YAML. */
const signPattern = new RegExp(
  String.raw`(?::=|={2,3}(?=[${blankCharacters}"'\x60\w])|=>(?=[\s"'\x60])|=|:(?:[${blankCharacters}]*(?:>(?=[\w${blankCharacters}])|[>|][-+]?(?=[${blankCharacters}]*\r?\n[${blankCharacters}]))\s*)?)[${blankCharacters}]*`,
  'y',
)

/** The sign between a name and its value. */
interface Sign {
  /** The position after it and the blanks that follow. */
  readonly end: number
  /** Whether it contains `=`. */
  readonly isAssignment: boolean
  /** Whether it contains `>` or `|`: after `:`, the indicator of a block scalar in YAML. */
  readonly hasBlockIndicator: boolean
}

function signAt(text: string, at: number): Sign {
  const end = matchEnd(text, at, signPattern)
  const sign = text.slice(at, end)
  return { end, isAssignment: sign.includes('='), hasBlockIndicator: /[>|]/.test(sign) }
}

/** A list or object in the format of `util.inspect`: `[ 'x' ]`, `[ 1, 2 ]`, `{ value: 'x' }`. */
const inspectedList = /^[[{](?:(?:[^\]}]{0,60}[\s[{:])?["'`]|[\s\d,]{0,60}\d\s*[\],]|\s*[\w$]{1,40}: \d)/

/** Returns the text up to the end of a value without quotes. */
function firstWordOf(beginning: string): string {
  return beginning.slice(0, matchEnd(beginning, 0, unquotedValue))
}

/** The maximum length of a value that is compared with literals: the length of `undefined`. */
const maxLiteralLength = 9

/** Returns whether a value is a literal and not a secret, such as `token=null`, or `pass=3` in a test report. */
function isLiteral(name: string, value: string): boolean {
  return (
    /^(?:true|false|null|undefined|none|nil)$/i.test(value) ||
    (isPassName(name) && /^(?:\d{1,6}(?:\.\d{1,2})?%?|ok|yes|no)$/i.test(value))
  )
}

/**
 * Returns whether a value after `:` is likely to be a secret: `password: hunter2`, or `password: >x` after an indicator, but not
 * `password: required` or `password: > 8 characters`.
 */
function isLikelySecret(value: string, hasBlockIndicator: boolean): boolean {
  if (hasBlockIndicator) return value !== '' && !/^\d{1,4}$/.test(value)
  return value.length >= 6 && !value.startsWith('${') && /\d|[!#$%*+=@^_~]./.test(value)
}

/** Returns the position of the `]`, `[]` or `%5D` that ends at `at`; `at` if nothing of this kind ends there. */
function bracketStart(text: string, at: number): number {
  if (text[at - 1] === ']') return text[at - 2] === '[' ? at - 2 : at - 1
  return /^%5d$/i.test(text.slice(Math.max(0, at - 3), at)) ? at - 3 : at
}

/** Returns the position after the prefix of a string literal in source code; `at` for a literal without a prefix. */
function skipStringPrefix(text: string, at: number): number {
  return matchEnd(text, at, stringPrefix)
}

const minNameLength = 2

/** Returns whether a character may be part of a name: a letter, a digit, `_`, `.` or `-`. */
function isNameUnit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 57 && code !== 47) ||
    code === 95
  )
}

/** Returns the name that ends at `end`, without characters over the maximum length. */
function nameBefore(text: string, end: number): string {
  let from = end
  while (from > 0 && end - from < maxNameLength && isNameUnit(text.charCodeAt(from - 1))) from--
  // Skip the letter of a JSON escape, such as `\n`.
  if (text[from - 1] === '\\' && /[nrtbf]/.test(text.charAt(from))) from++
  return text.slice(from, end)
}

/** Returns the position where the blanks before `at` begin. */
function spaceStart(text: string, at: number): number {
  let end = at
  while (end > 0 && isBlank(text[end - 1]!)) end--
  return end
}
