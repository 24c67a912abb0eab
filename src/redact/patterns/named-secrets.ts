import { blank, isBlank } from './blank.ts'
import { isPassAlone, isPlainSecretName, isSecretHeader, isSecretName, nameEndings } from './secret-names.ts'
import { shortText, type PatternFinder, type Searched } from './text-pattern.ts'
import { bare, bareEnd, escapesBefore, quoteAt, quotedEnd, shapeEnd } from './value-ends.ts'

/**
 * What leads to a value: the end of a name, perhaps in quotes, which JSON inside of JSON escapes, and in brackets (`user[password]`), then
 * the sign.
 */
const nameAndSign = String.raw`(?:${nameEndings})\\{0,15}["']?(?:\[?\]|%5[Dd])?[${blank}]*[=:]`

/** Values behind the names of secrets, in headers, URLs, forms, settings, programs and JSON. The name stays. */
export const namedSecrets: PatternFinder = {
  anchor: { at: '=:', where: `(?<=${nameAndSign})`, least: shortText },
  find: takeNamed,
}

const separator = new RegExp(`[=:](?<=${nameAndSign})`, 'g')
const longestName = 40
/** The beginning of a string in a program: `b"`, `@"`. */
const stringPrefix = /[bBfFrRuULNE@$]{1,2}(?=["'])/y
/** `name=value`, `name: value`, `"name":"value"`, and the same inside a JSON string. */
function takeNamed({ text, end }: Searched, take: (from: number, to: number) => void): void {
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
  /** Where its `=` or `:` is. */
  readonly at: number
  readonly isQuoted: boolean
  /** It begins a span of code in Markdown, which a backtick ends. */
  readonly isCode: boolean
}

/** Takes the value of a name, and returns where it ends; 0 where there is none. */
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
  const to = bareEnd(text, from, name, isQuoted || isList)
  if (to - from <= longestLiteral && isLiteral(name, text.slice(from, to))) return to
  if (to > from) take(from, to)
  return to
}

const longestWord = 64

/** `=`, `:`, `:=`, `==`, `===`, `=>`, and `: >` or `: |` of a text of several lines in YAML. */
const operator = new RegExp(
  String.raw`(?::=|={2,3}(?=[${blank}"'\x60\w])|=>(?=[\s"'\x60])|=|:(?:[${blank}]*(?:>(?=[\w${blank}])|[>|][-+]?(?=[${blank}]*\r?\n[${blank}]))\s*)?)[${blank}]*`,
  'y',
)

/** What is between a name and its value. */
interface Sign {
  readonly end: number
  readonly isAssignment: boolean
  /** `:` with a mark of YAML behind it. */
  readonly isMarked: boolean
}

function signAt(text: string, at: number): Sign {
  const end = shapeEnd(text, at, operator)
  const sign = text.slice(at, end)
  return { end, isAssignment: sign.includes('='), isMarked: /[>|]/.test(sign) }
}

/** A list or object as `util.inspect` prints it: `[ 'x' ]`, `[ 1, 2 ]`, `{ value: 'x' }`. */
const listValue = /^[[{](?:(?:[^\]}]{0,60}[\s[{:])?["'`]|[\s\d,]{0,60}\d\s*[\],]|\s*[\w$]{1,40}: \d)/

function wordIn(beginning: string): string {
  return beginning.slice(0, shapeEnd(beginning, 0, bare))
}

const longestLiteral = 9

/** `token=null`, and `pass=3` in a report of tests. */
function isLiteral(name: string, value: string): boolean {
  return (
    /^(?:true|false|null|undefined|none|nil)$/i.test(value) ||
    (isPassAlone(name) && /^(?:\d{1,6}(?:\.\d{1,2})?%?|ok|yes|no)$/i.test(value))
  )
}

/** `password: hunter2`, and `password: >x` behind a mark, and not `password: required` or `password: > 8 characters`. */
function isLikelySecret(value: string, isMarked: boolean): boolean {
  if (isMarked) return value !== '' && !/^\d{1,4}$/.test(value)
  return value.length >= 6 && !value.startsWith('${') && /\d|[!#$%*+=@^_~]./.test(value)
}

/** Where a name ends in front of `]`, `[]` or `%5D`. */
function bracketBefore(text: string, at: number): number {
  if (text[at - 1] === ']') return text[at - 2] === '[' ? at - 2 : at - 1
  return /^%5d$/i.test(text.slice(Math.max(0, at - 3), at)) ? at - 3 : at
}

/** Where a value begins, without the mark of a string in a program in front of it. */
function valueAfter(text: string, at: number): number {
  return shapeEnd(text, at, stringPrefix)
}

const leastName = 2

/** Letters, digits, `_`, `.` and `-`. */
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
  // The letter of a line break that JSON has escaped.
  if (text[from - 1] === '\\' && /[nrtbf]/.test(text.charAt(from))) from++
  return text.slice(from, end)
}

function spaceBefore(text: string, at: number): number {
  let end = at
  while (end > 0 && isBlank(text[end - 1]!)) end--
  return end
}
