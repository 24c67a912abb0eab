import { numberText } from './number-text.ts'

// The characters that RFC 8259 section 7 requires to be escaped; DEL and C1, which terminals interpret like C0; and surrogates, of which
// JSON.stringify escapes only the lone ones.
// oxlint-disable-next-line no-control-regex
const needsEscape = /["\\\u0000-\u001f\u007f-\u009f\ud800-\udfff]/

const printableAscii = allOf('[ -~]')
/**
 * Text of printable ASCII that needs no escape. Matching the whole text is faster than a search for characters that need one, because V8
 * compares fewer ranges.
 */
const plainAscii = allOf('[ !#-[\\]-~]')

/**
 * Returns an expression for text of only the characters that `character`, an expression for one character, matches. It matches four at a
 * time, so that V8 checks for the end a quarter as often.
 */
export function allOf(character: string): RegExp {
  return new RegExp(`^(?:${character.repeat(4)})*(?:${character}(?:${character}${character}?)?)?$`)
}

/**
 * Returns a JSON string literal (RFC 8259). Control characters, quotes, backslashes and lone surrogates are escaped; all other text stays
 * unchanged. Strings of up to 12 UTF-16 units are tested by a loop, longer ones by a regular expression, because the loop was measured to
 * be faster up to about that length. JSON.stringify without a test would cost about 1.6 times as much.
 */
export function quote(text: string): string {
  return needsNoEscape(text) ? '"' + text + '"' : quoteTextNeedingEscapes(text)
}

/** Returns the content of a JSON string literal, without its quotes. */
export function escape(text: string): string {
  return needsNoEscape(text) ? text : quoteTextNeedingEscapes(text).slice(1, -1)
}

/** Returns a JSON string literal with U+FFFD in place of each lone surrogate, which receivers of OTLP/JSON may reject. */
export function quoteWellFormed(text: string): string {
  return needsNoEscape(text) ? '"' + text + '"' : quoteTextNeedingEscapes(text.toWellFormed())
}

/** Returns the content of the literal that `quoteWellFormed` returns, without its quotes. */
export function escapeWellFormed(text: string): string {
  return needsNoEscape(text) ? text : quoteTextNeedingEscapes(text.toWellFormed()).slice(1, -1)
}

/**
 * Returns the same text as one contiguous string. V8 represents a concatenation as a tree (rope) until it is read; a cached fragment would
 * be traversed again with every line that contains it.
 */
export function flattenString(text: string): string {
  // A test that always matches makes V8 flatten the text. Optimized code would skip a `charCodeAt` whose result is unused.
  emptyMatch.test(text)
  return text
}

const emptyMatch = /^/

function needsNoEscape(text: string): boolean {
  const length = text.length
  if (length > 100) return longTextNeedsNoEscape(text)
  if (length > 12) return plainAscii.test(text) || !needsEscape.test(text)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    // 34 is a quote, 92 a backslash.
    if (code < 32 || code === 34 || code === 92 || (code > 126 && mayNeedHighEscape(code))) return false
  }
  return true
}

/**
 * V8 searches for a single character with vector instructions, so quotes and backslashes are searched separately, and the expression needs
 * fewer ranges. This was measured to be faster above about 100 UTF-16 units.
 */
function longTextNeedsNoEscape(text: string): boolean {
  if (text.includes('"') || text.includes('\\')) return false
  return printableAscii.test(text) || !needsEscape.test(text)
}

/** Returns whether a UTF-16 unit above 126 may need an escape: DEL, a C1 control or a surrogate. */
function mayNeedHighEscape(code: number): boolean {
  return code < 0xa0 || (code >= 0xd800 && code <= 0xdfff)
}

/** Returns whether a text contains only printable ASCII characters. */
export function isPrintableAscii(text: string): boolean {
  return printableAscii.test(text)
}

/** Returns the same literal as `quote`, without its test, for text that surely needs escapes, such as a stack. */
export function quoteTextNeedingEscapes(text: string): string {
  return jsonOf(text)
}

/** Returns data as JSON, with the same characters escaped as in `quote`. */
export function jsonOf(data: string | object): string {
  return escapeHighControls(JSON.stringify(data))
}

/** Escapes DEL and C1 in the result of `JSON.stringify`, which does not escape them; undefined stays undefined. */
export function escapeHighControls<T extends string | undefined>(json: T): T
export function escapeHighControls(json: string | undefined): string | undefined {
  if (json === undefined || printableAscii.test(json)) return json
  return json.replace(highControls, (control) => '\\u00' + control.charCodeAt(0).toString(16))
}

// oxlint-disable-next-line no-control-regex
const highControls = /[\u007f-\u009f]/g

/** Returns a JSON number, or a string for a value that JSON has no number for: `"NaN"`, `"Infinity"`, `"-Infinity"`. -0 is 0. */
export function numberToJson(value: number): string {
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

/** Returns the first `length` UTF-16 units of a text, or one fewer if the last of them is the first half of a surrogate pair. */
export function truncate(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
