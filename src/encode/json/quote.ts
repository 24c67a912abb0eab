import { numberText } from './number-text.ts'

// The characters that RFC 8259 section 7 requires to be escaped; DEL and C1, which terminals interpret like C0; and surrogates, of which
// JSON.stringify escapes only the lone ones.
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\u007f-\u009f\ud800-\udfff]/

const printableAscii = allOf('[ -~]')
/**
 * Printable ASCII that needs no escape. Matching the whole text is faster than a search for characters that do: V8 compares fewer ranges.
 */
const plainAscii = allOf('[ !#-[\\]-~]')

/** Returns an expression for text of only these characters. It matches four at a time, so that V8 checks for the end a quarter as often. */
export function allOf(character: string): RegExp {
  return new RegExp(`^(?:${character.repeat(4)})*(?:${character}(?:${character}${character}?)?)?$`)
}

/**
 * Returns a JSON string literal (RFC 8259). Control characters, quotes, backslashes and lone surrogates are escaped; all other text stays
 * unchanged. Short strings are tested by a loop, longer ones by a regular expression: measurements show that the loop is faster below
 * about 12 characters, and that JSON.stringify alone costs about 1.6 times as much as the test.
 */
export function quote(text: string): string {
  return isPlain(text) ? '"' + text + '"' : literal(text)
}

/** Returns the content of a JSON string literal, without its quotes. */
export function escape(text: string): string {
  return isPlain(text) ? text : literal(text).slice(1, -1)
}

/** Returns a JSON string literal with U+FFFD for each lone surrogate, which receivers of OTLP/JSON may reject (JS11). */
export function quoteWellFormed(text: string): string {
  return isPlain(text) ? '"' + text + '"' : literal(text.toWellFormed())
}

/** Returns the content of such a literal, without its quotes. */
export function escapeWellFormed(text: string): string {
  return isPlain(text) ? text : literal(text.toWellFormed()).slice(1, -1)
}

/**
 * Returns the same text as one contiguous string. V8 represents a concatenation as a tree (rope) until it is read; a cached fragment would
 * be traversed again with every line that contains it.
 */
export function flat(text: string): string {
  // Not `charCodeAt`: optimized code would skip a read whose result is unused.
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

/** V8 searches for one character with vector instructions, so the expression needs fewer ranges. Measured to be faster above about 100. */
function isLongPlain(text: string): boolean {
  if (text.includes('"') || text.includes('\\')) return false
  return printableAscii.test(text) || !needsEscape.test(text)
}

function isHigh(code: number): boolean {
  return code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)
}

/** Returns whether a text contains only printable ASCII characters. */
export function isPrintableAscii(text: string): boolean {
  return printableAscii.test(text)
}

/** Returns a JSON string literal without the test of `quote`, for text that surely needs escapes, such as a stack. */
export function literal(text: string): string {
  return jsonOf(text)
}

/** Returns data as JSON, with the same characters escaped as in `quote`. */
export function jsonOf(data: string | object): string {
  return escapedJson(JSON.stringify(data))
}

/** Escapes DEL and C1 in the result of `JSON.stringify`, which does not escape them; undefined stays undefined. */
export function escapedJson<T extends string | undefined>(json: T): T
export function escapedJson(json: string | undefined): string | undefined {
  if (json === undefined || printableAscii.test(json)) return json
  return json.replace(highControls, (control) => '\\u00' + control.charCodeAt(0).toString(16))
}

// oxlint-disable-next-line no-control-regex
const highControls = /[\u007f-\u009f]/g

/** Returns a JSON number, or a string for a value that JSON has no number for: `"NaN"`, `"Infinity"`, `"-Infinity"`. -0 is 0. */
export function quoteNumber(value: number): string {
  return value - value === 0 ? numberText(value) : '"' + value + '"'
}

const ascii = allOf('[\\0-\\x7f]')

/** Returns the number of bytes of well-formed text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length
  if (ascii.test(text)) return bytes
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    // A surrogate pair is two UTF-16 units and four bytes, so each half adds one byte.
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}

/** Returns the first `length` UTF-16 units of a text, or one fewer if that would split a surrogate pair. */
export function truncate(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
