import { escapeForTerminal } from '../encode/pretty/visible.ts'
import type { TextWriter } from './text-writer.ts'
import { isLongText, writeInPieces } from './long-texts.ts'
import { textOfUtf8 } from './visible-text.ts'

/** Returns the lines of passed-through text, without their line ends. */
export function linesOf(bytes: Uint8Array): string[] {
  // The byte order mark of a file is not a character of the text.
  const lines = textOfUtf8(bytes)
    .replace(/^\uFEFF/, '')
    .split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/**
 * Writes passed-through text, a long line in pieces.
 *
 * @param format - returns the text of a line
 */
export function writeTextLines(writer: TextWriter, bytes: Uint8Array, format: (line: string) => string): void {
  for (const line of linesOf(bytes)) {
    if (isLongText(line)) writeInPieces(writer, [line], ([text = '']) => format(text))
    else writer.write(format(line))
  }
}

/**
 * Returns a line of JSON, logfmt or CSV without characters that a terminal would interpret. In JSON and logfmt, these are only inside of
 * strings, and the escapes are those of JSON, so that the values stay the same.
 */
export function safeOnTerminal(line: string): string {
  return escapeForTerminal(line)
}
