import { blank } from './blank.ts'

/**
 * What is not in quotes ends at what ends a value in URLs, forms, headers and lists, or at an escaped line break or quote. A quote in
 * front of a letter or digit ends nothing.
 */
export const bare: RegExp = /(?:[^\s"'&,;\\]|\\*["'](?=\w)|\\+[^\s"'&,;\\nrtu])+/y
/** Brackets that are more likely to end what is around a value than the value. */
const closing = /[)}\]>|]+$/
/** `Authorization: Bearer abc`, and schemes with parameters, of which any may be the secret (RFC 9110 section 11.4). */
const authorization =
  /(?:Digest|AWS4-HMAC-SHA256|OAuth|Signature|[\w-]{1,32}[ \t]{1,8}[\w-]{1,32}=(?=["\w]))[^\r\n]+|(?:[\w-]{1,32}[ \t]{1,8})?[^\s"',]+/iy
/** A value may stand in quotes (RFC 6265 section 4.1.1). */
const cookies = /(?:="[^"\r\n]*"|[^\r\n"])+/y

/**
 * Where a value without quotes ends: a list or object with its bracket, a header with its line.
 *
 * @param isData - a bracket that is not closed takes the rest of the text, as in JSON that was cut
 */
export function bareEnd(text: string, from: number, name: string, isData: boolean): number {
  if (text[from] === '[' || text[from] === '{') {
    const to = bracketEnd(isData ? text : text.slice(0, from + longestList), from)
    // Without its end, the rest of JSON belongs to it. In other texts it is a character like any other.
    if (to !== undefined || isData) return to ?? text.length
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

/** Where a match at `from` ends; `from` where there is none. */
export function shapeEnd(text: string, from: number, shape: RegExp): number {
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

/** What joins two strings in a program: `+`, with a line break where `util.inspect` breaks a text. */
const concatenation = new RegExp(String.raw`[${blank}]{0,8}\+(?:\s|\\[nrt]){0,64}`, 'y')
/** Text that continues a value behind a quote, as in a shell. */
const tail = /(?=[\w$@#%^~*!])/y

/**
 * Where a value in quotes ends. Strings and text behind its closing quote belong to it: `"a"b` and `'a'"b"` in a shell, `"a""b"`
 * in CSV and SQL, `'a\n' +⏎'b'` in a program.
 */
export function quotedEnd(text: string, from: number, quote: string): number {
  for (let to = stringEnd(text, from, quote); ;) {
    const behind = to + quote.length
    if (behind >= text.length) return to
    const next = stringBehind(text, behind, quote)
    if (next !== undefined) {
      to = next.to
      quote = next.quote
      continue
    }
    tail.lastIndex = behind
    if (!tail.test(text)) return to
    const bareTo = shapeEnd(text, behind, bare)
    const more = stringBehind(text, bareTo, quote)
    if (more === undefined) return bareTo
    to = more.to
    quote = more.quote
  }
}

/** The string that continues one that ended at `at`. */
function stringBehind(text: string, at: number, quote: string): { to: number; quote: string } | undefined {
  const joined = shapeEnd(text, at, concatenation)
  const opening = [quote, ...otherQuotes(quote)].find((each) => text.startsWith(each, joined))
  if (opening === undefined) return undefined
  const from = joined + opening.length
  // The quote that closes what is around the value is followed by a blank, or by what separates and ends.
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

/** `"`, `'`, or `\"` and `\\\"` and so on inside of JSON strings, or a backtick; '' where none stands. */
export function quoteAt(text: string, at: number, isCode: boolean): string {
  if (text[at] === '`') return !isCode && text.includes('`', at + 1) ? '`' : ''
  let end = at
  while (text[end] === '\\' && end - at < mostEscapes) end++
  return text[end] === '"' || text[end] === "'" ? text.slice(at, end + 1) : ''
}

/** Of JSON inside of JSON, four times. */
const mostEscapes = 15

/** How many backslashes are in front of a place. */
export function escapesBefore(text: string, at: number, from: number): number {
  let first = at
  while (first > from && at - first <= mostEscapes && text[first - 1] === '\\') first--
  return at - first
}
