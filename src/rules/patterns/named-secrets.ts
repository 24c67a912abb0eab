import { isPlainSecretName, isSecretHeader, isSecretName, nameEndings } from './secret-names.ts'
import { shortText, type PatternFinder, type Searched } from './text-pattern.ts'

/**
 * What leads to a value: the end of a name, perhaps in quotes, which JSON inside of JSON escapes, and in brackets (`user[password]`), then
 * the sign.
 */
const nameAndSign = String.raw`(?:${nameEndings})\\{0,15}["']?(?:\[?\]|%5[Dd])?[ \t]*[=:]`

/** Values behind the names of secrets, in headers, URLs, forms, settings, programs and JSON. The name stays. */
export const namedSecrets: PatternFinder = {
  anchor: { at: '=:', where: `(?<=${nameAndSign})`, least: shortText },
  find: takeNamed,
}

const separator = new RegExp(`[=:](?<=${nameAndSign})`, 'g')
const longestName = 40
/** What is not in quotes ends at what ends a value in URLs, forms, headers and lists, or at an escaped line break or quote. */
const bare = /(?:[^\s"'&,;\\]|\\+[^\s"'&,;\\nrtu])+/y
/** Brackets that are more likely to end what is around a value than the value. */
const closing = /[)}\]>|]+$/
/** The beginning of a string in a program: `b"`, `@"`. */
const stringPrefix = /[a-zA-Z@$]{1,2}(?=["'])/y
/** `Authorization: Bearer abc`, and schemes with parameters, of which any may be the secret (RFC 9110 section 11.4). */
const authorization =
  /(?:Digest|AWS4-HMAC-SHA256|OAuth|Signature|[\w-]{1,32}[ \t]{1,8}[\w-]{1,32}=(?=["\w]))[^\r\n]+|(?:[\w-]{1,32}[ \t]{1,8})?[^\s"',]+/iy
/** A value may stand in quotes (RFC 6265 section 4.1.1). */
const cookies = /(?:="[^"\r\n]*"|[^\r\n"])+/y

/** `name=value`, `name: value`, `"name":"value"`, and the same inside a JSON string. */
function takeNamed({ text, end }: Searched, take: (from: number, to: number) => void): void {
  separator.lastIndex = 0
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    const at = found.index
    const sign = text[at] === ':' && text[at + 1] === '=' ? at + 1 : at
    const before = spaceBefore(text, at)
    const bracket = bracketBefore(text, before)
    const isQuoted = text[bracket - 1] === '"' || text[bracket - 1] === "'"
    const name = nameBefore(text, isQuoted ? bracket - 1 - escapesBefore(text, bracket - 1, 0) : bracket)
    if (bracket - name.length >= end) return
    if (name.length < leastName) continue
    const opening = valueAfter(text, isArrow(text, sign) ? sign + 2 : sign + 1)
    const quote = quoteAt(text, opening)
    const from = opening + quote.length
    const isAssigned = text[sign] === '=' || isQuoted || quote !== ''
    const to = quote === '' ? bareEnd(text, from, name, isQuoted) : stringEnd(text, from, quote)
    const isSecret = isAssigned
      ? isSecretName(name)
      : isSecretHeader(name) ||
        (isPlainSecretName(name) && isNoWord(text.slice(from, Math.min(to, from + longestWord))))
    if (!isSecret) continue
    if (to > from) take(from, to)
    separator.lastIndex = Math.max(to, at + 1)
  }
}

const longestWord = 64

/** `'password' => 'x'` in PHP and Ruby. */
function isArrow(text: string, at: number): boolean {
  return text[at] === '=' && text[at + 1] === '>' && /[\s"']/.test(text[at + 2] ?? '')
}

/** `password: hunter2`, and not `password: required`. */
function isNoWord(value: string): boolean {
  return value.length >= 6 && !value.startsWith('${') && /\d|[!#$%*+=@^_~]./.test(value)
}

/** Where a name ends in front of `]`, `[]` or `%5D`. */
function bracketBefore(text: string, at: number): number {
  if (text[at - 1] === ']') return text[at - 2] === '[' ? at - 2 : at - 1
  return /^%5d$/i.test(text.slice(Math.max(0, at - 3), at)) ? at - 3 : at
}

/** Where a value begins, without the blanks and the mark of a string in a program in front of it. */
function valueAfter(text: string, at: number): number {
  const from = spaceAfter(text, at)
  stringPrefix.lastIndex = from
  return stringPrefix.test(text) ? stringPrefix.lastIndex : from
}

function bareEnd(text: string, from: number, name: string, isQuotedName: boolean): number {
  if (text[from] === '[' || text[from] === '{') {
    const to = bracketEnd(isQuotedName ? text : text.slice(0, from + longestList), from)
    // Without its end, the rest of JSON belongs to it. In other texts it is a character like any other.
    if (to !== undefined || isQuotedName) return to ?? text.length
  }
  if (/authorization$/i.test(name)) return shapeEnd(text, from, authorization)
  if (/cookie$/i.test(name)) return shapeEnd(text, from, cookies)
  const to = shapeEnd(text, from, bare)
  const value = text.slice(Math.max(from, to - mostClosing), to)
  const kept = to - (closing.exec(value)?.[0].length ?? 0)
  return kept > from ? kept : to
}

/** Of the brackets at the end of a value, so many are left. */
const mostClosing = 64

function shapeEnd(text: string, from: number, shape: RegExp): number {
  shape.lastIndex = from
  return shape.test(text) ? shape.lastIndex : from
}

/** Outside of JSON. */
const longestList = 1_024
const bracketOrQuote = /[[\]{}"']/g

/** Where an array or object of JSON ends; undefined where its end is missing. */
function bracketEnd(text: string, from: number): number | undefined {
  let depth = 0
  bracketOrQuote.lastIndex = from
  for (let found = bracketOrQuote.exec(text); found !== null; found = bracketOrQuote.exec(text)) {
    const [sign] = found
    if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    else {
      const quote = text.slice(found.index - escapesBefore(text, found.index, from), found.index + 1)
      bracketOrQuote.lastIndex = stringEnd(text, bracketOrQuote.lastIndex, quote) + quote.length
    }
    if (depth === 0) return bracketOrQuote.lastIndex
  }
  return undefined
}

/** A quote inside of a string has more backslashes than those around it. A string without its end goes on to that of the text. */
function stringEnd(text: string, from: number, quote: string): number {
  const sign = quote.at(-1)!
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
    const escapes = escapesBefore(text, at, from)
    if (escapes < quote.length) return at - escapes
  }
  return text.length
}

/** `"`, `'`, or `\"` and `\\\"` and so on inside of JSON strings; '' where none stands. */
function quoteAt(text: string, at: number): string {
  let end = at
  while (text[end] === '\\' && end - at < mostEscapes) end++
  return text[end] === '"' || text[end] === "'" ? text.slice(at, end + 1) : ''
}

/** Of JSON inside of JSON, four times. */
const mostEscapes = 15

function escapesBefore(text: string, at: number, from: number): number {
  let first = at
  while (first > from && at - first <= mostEscapes && text[first - 1] === '\\') first--
  return at - first
}

const leastName = 3

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
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end--
  return end
}

function spaceAfter(text: string, at: number): number {
  let from = at
  while (text[from] === ' ' || text[from] === '\t') from++
  return from
}
