import { issuedTokens, privateKeys } from './issued-tokens.ts'
import { isSecretHeader, isSecretName, nameEndings } from './secret-names.ts'
import { shortText, type PatternPreset, type Searched } from './text-pattern.ts'
import { wordStart } from './word-start.ts'

/** What leads to a value: the end of a name, perhaps in quotes, which JSON inside of JSON escapes, and the sign. */
const nameAndSign = String.raw`(?:${nameEndings})\\{0,15}["']?[ \t]{0,4}[=:]`

/**
 * Credentials in texts: behind `Bearer` (RFC 6750) and `Basic` (RFC 7617), behind the names of secrets in headers, URLs and
 * forms, the password of a URL (RFC 3986 section 3.2.1), and tokens with the mark of who issued them. The name stays.
 */
export const credentials: PatternPreset = {
  least: 8,
  longest: 16_384,
  finders: [
    {
      anchor: { at: 'Bb', where: String.raw`(?<=[Bb])(?=(?:earer|EARER|asic|ASIC)[ \t])`, least: shortText },
      find: takeSchemes,
    },
    {
      anchor: { at: '=:', where: `(?<=${nameAndSign})`, least: shortText },
      find: takeNamed,
    },
    { anchor: { at: '@', where: '(?<=@)', least: shortText }, find: takePasswords },
    issuedTokens,
    privateKeys,
  ],
}

type Take = (from: number, to: number) => void

const scheme = new RegExp(String.raw`${wordStart}(?:(Bearer)|Basic)[ \t]{1,8}([\w.~+/-]+={0,2})`, 'gi')

function takeSchemes({ text, end }: Searched, take: Take): void {
  scheme.lastIndex = 0
  for (let found = scheme.exec(text); found !== null && found.index < end; found = scheme.exec(text)) {
    const [whole, isBearer, token = ''] = found
    const to = found.index + whole.length
    if (isBearer === undefined ? isBasic(token) : !isWord(token)) take(to - token.length, to)
  }
}

/** `bearer of bad news`, `bearer authentication`: letters alone are words, as long as no word is longer. */
function isWord(token: string): boolean {
  return /^[a-z]+[.]*$/i.test(token) && token.length < 20
}

/** What is encoded has a colon in it (RFC 7617 section 2): `basic training` has none. */
function isBasic(token: string): boolean {
  try {
    return atob(token).includes(':')
  } catch {
    return false
  }
}

const separator = new RegExp(`[=:](?<=${nameAndSign})`, 'g')
const longestName = 40
/** What is not in quotes ends at what ends a value in URLs, forms, headers and lists. */
const bare = /[^\s"'&,;<>)}\]|\\]+/y
/** `Authorization: Bearer abc`, and schemes with parameters, of which any may be the secret (RFC 9110 section 11.4). */
const authorization =
  /(?:Digest|AWS4-HMAC-SHA256|OAuth|Signature|[\w-]{1,32}[ \t]{1,8}[\w-]{1,32}=(?=["\w]))[^\r\n]+|(?:[\w-]{1,32}[ \t]{1,8})?[^\s"',]+/iy
/** A value may stand in quotes (RFC 6265 section 4.1.1). */
const cookies = /(?:="[^"\r\n]{0,4096}"|[^\r\n"])+/y

/** `name=value`, `name: value`, `"name":"value"`, and the same inside a JSON string. */
function takeNamed({ text, end }: Searched, take: Take): void {
  separator.lastIndex = 0
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    const at = found.index
    if (at >= end + longestName) return
    const isQuoted = text[at - 1] === '"' || text[at - 1] === "'"
    const name = nameBefore(text, isQuoted ? at - 1 - escapesBefore(text, at - 1, 0) : spaceBefore(text, at))
    if (name.length < leastName) continue
    const opening = spaceAfter(text, at + 1)
    const quote = quoteAt(text, opening)
    const isTold = text[at] === '=' || isQuoted || quote !== ''
    if (!(isTold ? isSecretName(name) : isSecretHeader(name))) continue
    const from = opening + quote.length
    const to = quote === '' ? bareEnd(text, from, name) : stringEnd(text, from, quote)
    if (to > from) take(from, to)
    separator.lastIndex = Math.max(to, at + 1)
  }
}

function bareEnd(text: string, from: number, name: string): number {
  const shape = /authorization$/i.test(name) ? authorization : /cookie$/i.test(name) ? cookies : bare
  shape.lastIndex = from
  return shape.test(text) ? shape.lastIndex : from
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

const mostSpaces = 4

function spaceBefore(text: string, at: number): number {
  let end = at
  while (end > at - mostSpaces && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--
  return end
}

function spaceAfter(text: string, at: number): number {
  let from = at
  while (from < at + mostSpaces && (text[from] === ' ' || text[from] === '\t')) from++
  return from
}

// The last `@` ends it, as WHATWG's URLs have it.
const userinfo = /:\/\/[^\s:@/?#]{0,256}:([^\s@/?#]{1,1024}(?:@[^\s@/?#"'<>,;]{1,256}){0,4})@/g

/** `https://user:password@host` */
function takePasswords({ text, end }: Searched, take: Take): void {
  userinfo.lastIndex = 0
  for (let found = userinfo.exec(text); found !== null && found.index < end; found = userinfo.exec(text)) {
    const to = found.index + found[0].length - 1
    take(to - found[1]!.length, to)
  }
}
