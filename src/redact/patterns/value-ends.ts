import { blank } from './blank.ts'

/**
 * A value without quotes. It ends at a character that ends values in URLs, forms, headers and lists, or at an escaped line break or quote.
 * A quote before a letter or digit does not end it.
 */
export const unquotedValue: RegExp = /(?:[^\s"'&,;\\]|\\*["'](?=\w)|\\+[^\s"'&,;\\nrtu])+/y
/** Brackets that more likely close the text around a value than belong to the value. */
const closing = /[)}\]>|]+$/
/** The value of `Authorization: Bearer abc`, and of schemes with parameters, any of which may be the secret (RFC 9110 section 11.4). */
const authorization =
  /(?:Digest|AWS4-HMAC-SHA256|OAuth|Signature|[\w-]{1,32}[ \t]{1,8}[\w-]{1,32}=(?=["\w]))[^\r\n]+|(?:[\w-]{1,32}[ \t]{1,8})?[^\s"',]+/iy
/** The value of a cookie header. The value of a cookie may be in quotes (RFC 6265 section 4.1.1). */
const cookies = /(?:="[^"\r\n]*"|[^\r\n"])+/y

/**
 * Returns the position where a value without quotes ends. A list or object ends with its bracket, a header with its line.
 *
 * @param isData - whether an unclosed bracket extends to the end of the text, as in JSON that was cut
 */
export function unquotedValueEnd(text: string, from: number, name: string, isData: boolean): number {
  if (text[from] === '[' || text[from] === '{') {
    const to = bracketEnd(isData ? text : text.slice(0, from + longestList), from)
    // In JSON, an unclosed list extends to the end of the text. In other text, the bracket is an ordinary character.
    if (to !== undefined || isData) return to ?? text.length
  }
  if (/authorization$/i.test(name)) return shapeEnd(text, from, authorization)
  if (/cookie$/i.test(name)) return shapeEnd(text, from, cookies)
  const to = shapeEnd(text, from, unquotedValue)
  const value = text.slice(Math.max(from, to - maxClosing), to)
  const kept = to - (closing.exec(value)?.[0].length ?? 0)
  return kept > from ? kept : to
}

/** The maximum number of brackets that are excluded from the end of a value. */
const maxClosing = 64

/** Returns the position after a match at `from`; `from` if there is none. */
export function shapeEnd(text: string, from: number, shape: RegExp): number {
  shape.lastIndex = from
  return shape.test(text) ? shape.lastIndex : from
}

/** The maximum length of a list outside of JSON, in UTF-16 units. */
const longestList = 1_024
const bracketOrQuote = /[[\]{}"']/g

/** Returns the position after an array or object of JSON; undefined if its end is missing. */
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

/**
 * Returns the position where a string ends. A quote inside the string has more backslashes than the quotes around it. An unclosed string
 * extends to the end of the text.
 */
function stringEnd(text: string, from: number, quote: string): number {
  const sign = quote.at(-1)!
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + 1)) {
    const escapes = escapesBefore(text, at, from)
    if (escapes < quote.length) return at - escapes
  }
  return text.length
}

/** The operator `+` between two strings in source code, with a line break as in long text of `util.inspect`. */
const concatenation = new RegExp(String.raw`[${blank}]{0,8}\+(?:\s|\\[nrt]){0,64}`, 'y')
/** Text that continues a value after a quote, as in a shell. */
const tail = /(?=[\w$@#%^~*!])/y

/**
 * Returns the position where a value in quotes ends. Adjacent strings and text after its closing quote belong to it: `"a"b` and `'a'"b"` in
 * a shell, `"a""b"` in CSV and SQL, `'a\n' +⏎'b'` in source code.
 */
export function quotedEnd(text: string, from: number, quote: string): number {
  for (let to = stringEnd(text, from, quote); ;) {
    const end = to + quote.length
    if (end >= text.length) return to
    const next = stringAfter(text, end, quote)
    if (next !== undefined) {
      to = next.to
      quote = next.quote
      continue
    }
    tail.lastIndex = end
    if (!tail.test(text)) return to
    const bareTo = shapeEnd(text, end, unquotedValue)
    const more = stringAfter(text, bareTo, quote)
    if (more === undefined) return bareTo
    to = more.to
    quote = more.quote
  }
}

/** Returns the string that continues a string that ended at `at`. */
function stringAfter(text: string, at: number, quote: string): { to: number; quote: string } | undefined {
  const joined = shapeEnd(text, at, concatenation)
  const opening = [quote, ...otherQuotes(quote)].find((each) => text.startsWith(each, joined))
  if (opening === undefined) return undefined
  const from = joined + opening.length
  // A quote that closes the text around the value is followed by a blank, a separator or a closing bracket.
  const isDoubled = opening === quote && joined === at
  if (joined === at && !isDoubled && /^[\s,;:.)}\]>|\\]?$/.test(text.charAt(from))) return undefined
  if (isDoubled && /^[,;:)}\]\\]?$/.test(text.charAt(from))) return undefined
  const to = stringEnd(text, from, opening)
  return to < text.length ? { to, quote: opening } : undefined
}

function otherQuotes(quote: string): readonly string[] {
  const escapes = quote.slice(0, -1)
  return ['"', "'"].map((sign) => escapes + sign).filter((each) => each !== quote)
}

/** Returns the quote at a position: `"`, `'`, a backtick, or `\"`, `\\\"` and so on inside of JSON strings; '' if there is none. */
export function quoteAt(text: string, at: number, isCode: boolean): string {
  if (text[at] === '`') return !isCode && text.includes('`', at + 1) ? '`' : ''
  let end = at
  while (text[end] === '\\' && end - at < maxEscapes) end++
  return text[end] === '"' || text[end] === "'" ? text.slice(at, end + 1) : ''
}

/** The number of backslashes before a quote in JSON that is nested four times. */
const maxEscapes = 15

/** Returns the number of backslashes before a position. */
export function escapesBefore(text: string, at: number, from: number): number {
  let first = at
  while (first > from && at - first <= maxEscapes && text[first - 1] === '\\') first--
  return at - first
}
