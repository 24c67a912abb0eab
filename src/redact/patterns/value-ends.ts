import { blankCharacters } from './blank.ts'

/**
 * A value without quotes. It ends at white space, `&`, `,` or `;`, which end values in URLs, forms, headers and lists, and at the escapes
 * `\n`, `\r`, `\t` and `\u`. It also ends at a quote, escaped or not, unless a letter, digit or `_` follows.
 */
export const unquotedValue: RegExp = /(?:[^\s"'&,;\\]|\\*["'](?=\w)|\\+[^\s"'&,;\\nrtu])+/y
/** Brackets that more likely close the text around a value than belong to the value. */
const closingBrackets = /[)}\]>|]+$/
/** The value of `Authorization: Bearer abc`, and of schemes with parameters, any of which may be the secret (RFC 9110 section 11.4). */
const authorizationValue =
  /(?:Digest|AWS4-HMAC-SHA256|OAuth|Signature|[\w-]{1,32}[ \t]{1,8}[\w-]{1,32}=(?=["\w]))[^\r\n]+|(?:[\w-]{1,32}[ \t]{1,8})?[^\s"',]+/iy
/** The value of a cookie header, in which the value of a cookie may be in quotes (RFC 6265 section 4.1.1). */
const cookieValue = /(?:="[^"\r\n]*"|[^\r\n"])+/y

/**
 * Returns the position where a value without quotes ends. A list or object ends with its bracket. In headers for authorization and
 * cookies, the value can contain spaces and separators.
 *
 * @param mayListBeCut - whether a list or object without its closing bracket extends to the end of the text, as in JSON that was cut
 */
export function unquotedValueEnd(text: string, from: number, name: string, mayListBeCut: boolean): number {
  if (text[from] === '[' || text[from] === '{') {
    const to = bracketEnd(mayListBeCut ? text : text.slice(0, from + maxListLength), from)
    // Without `mayListBeCut`, a bracket that is not closed is an ordinary character.
    if (to !== undefined || mayListBeCut) return to ?? text.length
  }
  if (/authorization$/i.test(name)) return matchEnd(text, from, authorizationValue)
  if (/cookie$/i.test(name)) return matchEnd(text, from, cookieValue)
  const to = matchEnd(text, from, unquotedValue)
  const value = text.slice(Math.max(from, to - maxClosingBrackets), to)
  const endWithoutBrackets = to - (closingBrackets.exec(value)?.[0].length ?? 0)
  return endWithoutBrackets > from ? endWithoutBrackets : to
}

/** The maximum number of brackets that are excluded at the end of a value. */
const maxClosingBrackets = 64

/** Returns the position after the match of a sticky expression at `from`; `from` if it does not match. */
export function matchEnd(text: string, from: number, stickyExpression: RegExp): number {
  stickyExpression.lastIndex = from
  return stickyExpression.test(text) ? stickyExpression.lastIndex : from
}

/** The maximum length of a list or object without `mayListBeCut`, in UTF-16 units. */
const maxListLength = 1_024
const bracketOrQuote = /[[\]{}"']/g

/** Returns the position after a list or object in brackets; undefined if its end is missing. */
function bracketEnd(text: string, from: number): number | undefined {
  let depth = 0
  bracketOrQuote.lastIndex = from
  for (let match = bracketOrQuote.exec(text); match !== null; match = bracketOrQuote.exec(text)) {
    const [character] = match
    if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    else {
      const quote = text.slice(match.index - countBackslashesBefore(text, match.index, from), match.index + 1)
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
  const quoteCharacter = quote.at(-1)!
  for (let at = text.indexOf(quoteCharacter, from); at >= 0; at = text.indexOf(quoteCharacter, at + 1)) {
    const backslashCount = countBackslashesBefore(text, at, from)
    if (backslashCount < quote.length) return at - backslashCount
  }
  return text.length
}

/** The operator `+` between two strings in source code, with a line break as in long text of `util.inspect`. */
const concatenation = new RegExp(String.raw`[${blankCharacters}]{0,8}\+(?:\s|\\[nrt]){0,64}`, 'y')
/** Text that continues a value after a quote, as in a shell. */
const continuation = /(?=[\w$@#%^~*!])/y

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
    continuation.lastIndex = end
    if (!continuation.test(text)) return to
    const unquotedEnd = matchEnd(text, end, unquotedValue)
    const nextString = stringAfter(text, unquotedEnd, quote)
    if (nextString === undefined) return unquotedEnd
    to = nextString.to
    quote = nextString.quote
  }
}

/** Returns the end and the quote of a string that continues the one that ended at `at`; undefined if no string follows. */
function stringAfter(text: string, at: number, quote: string): { to: number; quote: string } | undefined {
  const nextStart = matchEnd(text, at, concatenation)
  const opening = [quote, ...otherQuotes(quote)].find((each) => text.startsWith(each, nextStart))
  if (opening === undefined) return undefined
  const from = nextStart + opening.length
  // A quote that closes the text around the value is followed by a blank, a separator or a closing bracket. After a doubled quote, a blank
  // can belong to the value.
  const isDoubled = opening === quote && nextStart === at
  if (nextStart === at && !isDoubled && /^[\s,;:.)}\]>|\\]?$/.test(text.charAt(from))) return undefined
  if (isDoubled && /^[,;:)}\]\\]?$/.test(text.charAt(from))) return undefined
  const to = stringEnd(text, from, opening)
  return to < text.length ? { to, quote: opening } : undefined
}

/** Returns the double and single quote with the same backslashes, except the quote itself. */
function otherQuotes(quote: string): readonly string[] {
  const backslashes = quote.slice(0, -1)
  return ['"', "'"].map((quoteCharacter) => backslashes + quoteCharacter).filter((each) => each !== quote)
}

/**
 * Returns the quote at a position: `"`, `'`, a backtick that another one follows, or `\"`, `\\\"` and so on inside of JSON strings; '' if
 * there is no quote.
 *
 * @param isInCodeSpan - whether a backtick ends a code span, so that it is not a quote
 */
export function quoteAt(text: string, at: number, isInCodeSpan: boolean): string {
  if (text[at] === '`') return !isInCodeSpan && text.includes('`', at + 1) ? '`' : ''
  let end = at
  while (text[end] === '\\' && end - at < maxBackslashes) end++
  return text[end] === '"' || text[end] === "'" ? text.slice(at, end + 1) : ''
}

/** The number of backslashes before a quote in JSON that is nested four times. */
const maxBackslashes = 15

/** Returns the number of backslashes before `at`, back to `from`. Counts at most one more than `maxBackslashes`. */
export function countBackslashesBefore(text: string, at: number, from: number): number {
  let first = at
  while (first > from && at - first <= maxBackslashes && text[first - 1] === '\\') first--
  return at - first
}
