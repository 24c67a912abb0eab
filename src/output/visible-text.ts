import { isPrintableAscii } from '../encode/json/quote.ts'
import { escapeForTerminal } from '../encode/pretty/visible.ts'

/** Codes that set colors and styles (ECMA-48, section 8.3.117). They are removed, because a color can hide text. */
// oxlint-disable-next-line no-control-regex
const colorCodes = /\u001b\[[\d;:]*m/g

/** The columns between tab stops of terminals. */
const tabColumns = 8

/**
 * Returns lines of text for a terminal: without codes for colors, with spaces in place of tabs, and with all other control characters
 * escaped. The line ends stay.
 */
export function visibleLines(text: string): string {
  if (isPrintableAscii(text)) return text
  return text
    .split('\n')
    .map((line) => visibleLine(line.endsWith('\r') ? line.slice(0, -1) : line))
    .join('\n')
}

function visibleLine(line: string): string {
  return escapeForTerminal(expandTabs(withoutColors(line)))
}

/** Returns a text without codes for colors. */
export function withoutColors(text: string): string {
  return text.includes('\u001b[') ? text.replace(colorCodes, '') : text
}

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line
  let expanded = ''
  for (const [index, part] of line.split('\t').entries()) {
    if (index > 0) expanded += ' '.repeat(tabColumns - (expanded.length % tabColumns))
    expanded += part
  }
  return expanded
}

/**
 * Control characters in UTF-8, each byte as one character: C0 except for tabs and line ends, DEL, C1, bidirectional controls, and line and
 * paragraph separators.
 */
const controlBytes =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x08\v\f\x0e-\x1f\x7f]|\r(?!\n|$)|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]/g
/** The same for a text that continues: a carriage return at its end does not end a line. */
const innerControlBytes = new RegExp(controlBytes.source.replace('|$', ''), 'g')

/**
 * Returns lines of text for a file or a pipe, which can be shown on a terminal later: without codes for colors, and with other control
 * characters escaped. All other bytes stay, also those that are not UTF-8.
 *
 * @param isEnd - whether the text ends here, which can be without a line end
 */
export function visibleBytes(bytes: Uint8Array, isEnd = true): Uint8Array {
  if (isPlain(bytes)) return bytes
  const { buffer, byteOffset, length } = bytes
  const text = Buffer.from(buffer, byteOffset, length).toString('latin1')
  const visible = withoutColors(text).replace(isEnd ? controlBytes : innerControlBytes, escapedBytes)
  return visible === text ? bytes : Buffer.from(visible, 'latin1')
}

/** Returns whether bytes are only printable ASCII, tabs and newlines. Most lines are, and are then not decoded. */
function isPlain(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte >= 127 || (byte < 32 && byte !== newline && byte !== tab)) return false
  }
  return true
}

/** The escapes by sequence, of which there are fewer than 100. A file can have millions of them, such as a hole of NUL bytes. */
const escapes = new Map<string, string>()

function escapedBytes(sequence: string): string {
  let escaped = escapes.get(sequence)
  if (escaped === undefined)
    escapes.set(sequence, (escaped = escapeForTerminal(Buffer.from(sequence, 'latin1').toString())))
  return escaped
}

/** Returns the text of bytes in UTF-8, with U+FFFD in place of invalid ones. */
export function textOfUtf8({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString()
}

/** The length of a piece of text. */
const pieceBytes = 262_144

/**
 * Yields text in pieces, and whether each is the last, because escapes can make a text six times as long. A piece ends after a line if
 * possible, and between two characters otherwise.
 */
export function* textPieces(bytes: Uint8Array): Generator<readonly [bytes: Uint8Array, isEnd: boolean]> {
  let start = 0
  while (bytes.length - start > pieceBytes) {
    let end = start + pieceBytes
    const lineEnd = bytes.subarray(start, end).lastIndexOf(newline)
    if (lineEnd >= 0) end = start + lineEnd + 1
    // A character of UTF-8 has up to three bytes after its first one.
    else for (let count = 0; count < 3 && (bytes[end]! & 0xc0) === 0x80; count++) end--
    yield [bytes.subarray(start, end), false]
    start = end
  }
  yield [bytes.subarray(start), true]
}

const tab = 9
const newline = 10
