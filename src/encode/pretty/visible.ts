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
  const all = text.split(/\r?\n/)
  const lines = all.slice(0, maxLines).map((line) => escapeForTerminal(line.replaceAll('\t', '  ')))
  return all.length > maxLines ? [...lines, paint(sgr.dim, `…[+${counted(all.length - maxLines, 'line')}]`)] : lines
}
