import { counted } from '../../options/counted.ts'
import { isPrintableAscii } from '../json/quote.ts'
import { sgr, type Paint } from './colors.ts'

/**
 * Escapes characters that a terminal would interpret: C0 and C1 control characters, DEL, bidirectional controls, line and paragraph
 * separators, and lone surrogates. So a logged value cannot move the cursor or forge a line.
 */
export function escapeForTerminal(text: string): string {
  if (isPrintableAscii(text)) return text
  return text.replace(interpreted, (character) =>
    character === '\n'
      ? '\\n'
      : character === '\t'
        ? '\\t'
        : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const interpreted = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** The maximum number of lines of one text, so that no record fills the terminal. */
const maxLines = 100

/**
 * Returns the lines of a text, each with its control characters escaped. In a text of several lines, a tab becomes two spaces, and a marker
 * counts the lines over the limit.
 */
export function escapedLines(text: string, paint: Paint): string[] {
  if (!text.includes('\n')) return [escapeForTerminal(text)]
  const lines = text.split(/\r?\n/, maxLines).map((line) => escapeForTerminal(line.replaceAll('\t', '  ')))
  const omitted = lines.length < maxLines ? 0 : countLines(text) - maxLines
  return omitted > 0 ? [...lines, paint(sgr.dim, `…[+${counted(omitted, 'line')}]`)] : lines
}

/** Counts the lines of a text without an array of them, because a text can have millions. */
function countLines(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
