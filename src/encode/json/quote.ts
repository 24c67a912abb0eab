import { numberText } from './number-text.ts'

// What RFC 8259 section 7 makes us escape; DEL and C1, which a terminal obeys like C0; and surrogates, of which
// JSON.stringify tells those that stand alone.
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\u007f-\u009f\ud800-\udfff]/

const printableAscii = allOf('[ -~]')
/** What of it needs no escape. Passing a text is faster than searching it for what does: V8 compares fewer ranges. */
const plainAscii = allOf('[ !#-[\\]-~]')

/** A text of these characters alone, by four of them at a time: V8 then looks for its end a quarter as often. */
export function allOf(character: string): RegExp {
  return new RegExp(`^(?:${character.repeat(4)})*(?:${character}(?:${character}${character}?)?)?$`)
}

/**
 * A JSON string literal (RFC 8259): control characters, quotes, backslashes and lone surrogates are escaped, all other
 * text stays as it is. Short strings are tested by a loop, longer ones by a regular expression: measured, the loop wins
 * below some 12 characters, and JSON.stringify alone costs about 1.6 times the test.
 */
export function quote(text: string): string {
  return isPlain(text) ? '"' + text + '"' : literal(text)
}

/** The inside of a JSON string literal. */
export function escape(text: string): string {
  return isPlain(text) ? text : literal(text).slice(1, -1)
}

/** The same with U+FFFD for half a surrogate pair, which readers of OTLP/JSON may refuse (JS11). */
export function quoteWellFormed(text: string): string {
  return isPlain(text) ? '"' + text + '"' : literal(text.toWellFormed())
}

/** The inside of such a literal. */
export function escapeWellFormed(text: string): string {
  return isPlain(text) ? text : literal(text.toWellFormed()).slice(1, -1)
}

/**
 * The same text in one piece. V8 keeps the result of a concatenation as a tree until somebody reads it; a fragment that is
 * kept and put into every line would be walked again with each of them.
 */
export function flat(text: string): string {
  // Not `charCodeAt`: optimized code would not read what nobody wants.
  anything.test(text)
  return text
}

const anything = /^/

function isPlain(text: string): boolean {
  const length = text.length
  if (length > 100) return isLongPlain(text)
  if (length > 12) return plainAscii.test(text) || !needsEscape.test(text)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code < 32 || code === 34 || code === 92 || (code > 126 && isHigh(code))) return false
  }
  return true
}

/** V8 looks for one character in many at a time, so that the expression may have fewer ranges: measured, it wins above some 100. */
function isLongPlain(text: string): boolean {
  if (text.includes('"') || text.includes('\\')) return false
  return printableAscii.test(text) || !needsEscape.test(text)
}

function isHigh(code: number): boolean {
  return code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)
}

/** Whether a text contains nothing but printable ASCII characters. */
export function isPrintableAscii(text: string): boolean {
  return printableAscii.test(text)
}

/** The same for a text that needs escapes for sure, such as a stack: it is not tested for that first. */
export function literal(text: string): string {
  return jsonOf(text)
}

/** The JSON of data, escaped as everything here is. */
export function jsonOf(data: string | object): string {
  return escapedJson(JSON.stringify(data))
}

/** JSON of `JSON.stringify` with DEL and C1 escaped, which that leaves as they are; undefined stays undefined. */
export function escapedJson<T extends string | undefined>(json: T): T
export function escapedJson(json: string | undefined): string | undefined {
  if (json === undefined || printableAscii.test(json)) return json
  return json.replace(highControls, (control) => '\\u00' + control.charCodeAt(0).toString(16))
}

// oxlint-disable-next-line no-control-regex
const highControls = /[\u007f-\u009f]/g

/** A JSON number, or the name of what JSON has no number for: `"NaN"`, `"Infinity"`, `"-Infinity"`. -0 is 0. */
export function quoteNumber(value: number): string {
  return value - value === 0 ? numberText(value) : '"' + value + '"'
}

const ascii = allOf('[\\0-\\x7f]')

/** How many bytes the UTF-8 form of well-formed text has. */
export function utf8Length(text: string): number {
  let bytes = text.length
  if (ascii.test(text)) return bytes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // A surrogate pair is two units and four bytes: one byte more for each half.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}

/** The first `length` UTF-16 units of a text, one less where that would cut a surrogate pair in two. */
export function truncate(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
