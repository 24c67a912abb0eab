import { blank, isBlank } from './blank.ts'
import { isOnlyPassword, isPlainSecretName, isSecretHeader, isSecretName, nameEndings } from './secret-names.ts'
import { shortText, type PatternFinder, type SearchedText } from './text-pattern.ts'
import { unquotedValue, unquotedValueEnd, escapesBefore, quoteAt, quotedEnd, shapeEnd } from './value-ends.ts'

/**
 * The text before a value: the end of a name, optionally in quotes, which are escaped in nested JSON, or in brackets (`user[password]`),
 * then the sign.
 */
const nameAndSign = String.raw`(?:${nameEndings})\\{0,15}["']?(?:\[?\]|%5[Dd])?[${blank}]*[=:]`

/** Finds values after the names of secrets, in headers, URLs, forms, settings, programs and JSON. The names stay. */
export const namedSecrets: PatternFinder = {
  anchor: { at: '=:', where: `(?<=${nameAndSign})`, least: shortText },
  find: takeNamed,
}

const separator = new RegExp(`[=:](?<=${nameAndSign})`, 'g')
const longestName = 40
/** The prefix of a string literal in source code: `b"`, `@"`. */
const stringPrefix = /[bBfFrRuULNE@$]{1,2}(?=["'])/y
/** Finds the values in `name=value`, `name: value` and `"name":"value"`, and in these forms inside a JSON string. */
function takeNamed({ text, end }: SearchedText, take: (from: number, to: number) => void): void {
  separator.lastIndex = 0
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    const at = found.index
    const before = spaceBefore(text, at)
    const bracket = bracketBefore(text, before)
    const isQuoted = text[bracket - 1] === '"' || text[bracket - 1] === "'"
    const name = nameBefore(text, isQuoted ? bracket - 1 - escapesBefore(text, bracket - 1, 0) : bracket)
    if (bracket - name.length >= end) return
    if (name.length < leastName || !isSecretName(name)) continue
    const to = takeValue(text, { name, at, isQuoted, isCode: text[bracket - name.length - 1] === '`' }, take)
    separator.lastIndex = Math.max(to, at + 1)
  }
}

/** A name and its sign. */
interface NamePart {
  readonly name: string
  /** The position of its `=` or `:`. */
  readonly at: number
  readonly isQuoted: boolean
  /** Whether it begins a code span in Markdown, which ends with a backtick. */
  readonly isCode: boolean
}

/** Passes the value of a name to `take`. Returns the position after the value; 0 if there is none. */
function takeValue(text: string, part: NamePart, take: (from: number, to: number) => void): number {
  const { name, at, isQuoted, isCode } = part
  const sign = signAt(text, at)
  const opening = valueAfter(text, sign.end)
  const quote = quoteAt(text, opening, isCode)
  const from = opening + quote.length
  if (quote !== '') {
    const to = quotedEnd(text, from, quote)
    if (to > from) take(from, to)
    return to
  }
  const beginning = text.slice(from, from + longestWord)
  const isList = listValue.test(beginning)
  const isAssigned = sign.isAssignment || isQuoted || isList || isSecretHeader(name)
  if (!isAssigned && !(isPlainSecretName(name) && isLikelySecret(wordIn(beginning), sign.isMarked))) return 0
  const to = unquotedValueEnd(text, from, name, isQuoted || isList)
  if (to - from <= longestLiteral && isLiteral(name, text.slice(from, to))) return to
  if (to > from) take(from, to)
  return to
}

const longestWord = 64

/** The signs `=`, `:`, `:=`, `==`, `===` and `=>`, and `: >` or `: |` of a block scalar in YAML. */
const operator = new RegExp(
  String.raw`(?::=|={2,3}(?=[${blank}"'\x60\w])|=>(?=[\s"'\x60])|=|:(?:[${blank}]*(?:>(?=[\w${blank}])|[>|][-+]?(?=[${blank}]*\r?\n[${blank}]))\s*)?)[${blank}]*`,
  'y',
)

/** The sign between a name and its value. */
interface Sign {
  readonly end: number
  readonly isAssignment: boolean
  /** Whether the sign is `:` followed by a block scalar indicator of YAML. */
  readonly isMarked: boolean
}

function signAt(text: string, at: number): Sign {
  const end = shapeEnd(text, at, operator)
  const sign = text.slice(at, end)
  return { end, isAssignment: sign.includes('='), isMarked: /[>|]/.test(sign) }
}

/** A list or object in the format of `util.inspect`: `[ 'x' ]`, `[ 1, 2 ]`, `{ value: 'x' }`. */
const listValue = /^[[{](?:(?:[^\]}]{0,60}[\s[{:])?["'`]|[\s\d,]{0,60}\d\s*[\],]|\s*[\w$]{1,40}: \d)/

function wordIn(beginning: string): string {
  return beginning.slice(0, shapeEnd(beginning, 0, unquotedValue))
}

const longestLiteral = 9

/** Returns whether a value is a literal and not a secret, such as `token=null`, or `pass=3` in a test report. */
function isLiteral(name: string, value: string): boolean {
  return (
    /^(?:true|false|null|undefined|none|nil)$/i.test(value) ||
    (isOnlyPassword(name) && /^(?:\d{1,6}(?:\.\d{1,2})?%?|ok|yes|no)$/i.test(value))
  )
}

/**
 * Returns whether a value after `:` is likely to be a secret: `password: hunter2`, or `password: >x` after an indicator, but not
 * `password: required` or `password: > 8 characters`.
 */
function isLikelySecret(value: string, isMarked: boolean): boolean {
  if (isMarked) return value !== '' && !/^\d{1,4}$/.test(value)
  return value.length >= 6 && !value.startsWith('${') && /\d|[!#$%*+=@^_~]./.test(value)
}

/** Returns the position where a name before `]`, `[]` or `%5D` ends. */
function bracketBefore(text: string, at: number): number {
  if (text[at - 1] === ']') return text[at - 2] === '[' ? at - 2 : at - 1
  return /^%5d$/i.test(text.slice(Math.max(0, at - 3), at)) ? at - 3 : at
}

/** Returns the position where a value begins, after the prefix of a string literal in source code. */
function valueAfter(text: string, at: number): number {
  return shapeEnd(text, at, stringPrefix)
}

const leastName = 2

/** Returns whether a character may be part of a name: a letter, a digit, `_`, `.` or `-`. */
function isNameUnit(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 45 && code <= 57 && code !== 47) ||
    code === 95
  )
}

function nameBefore(text: string, end: number): string {
  let from = end
  while (from > 0 && end - from < longestName && isNameUnit(text.charCodeAt(from - 1))) from--
  // Skip the letter of a line break that is escaped in JSON.
  if (text[from - 1] === '\\' && /[nrtbf]/.test(text.charAt(from))) from++
  return text.slice(from, end)
}

function spaceBefore(text: string, at: number): number {
  let end = at
  while (end > 0 && isBlank(text[end - 1]!)) end--
  return end
}
