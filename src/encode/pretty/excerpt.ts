import { displayWidth } from './width.ts'

/** The maximum length of the text before and after the position in an excerpt, in UTF-16 units. */
const maxContextLength = 60

/** Returns two lines: the part of a text around a position, and a caret below the position. Both are safe for a terminal. */
export function excerptOf(text: string, position: number): string {
  const from = Math.max(0, position - maxContextLength)
  const to = Math.min(text.length, position + maxContextLength)
  const before = (from > 0 ? '…' : '') + visible(text.slice(from, position))
  const after = visible(text.slice(position, to)) + (to < text.length ? '…' : '')
  return `${before}${after}\n${' '.repeat(displayWidth(before))}^`
}

/** Returns a text in which each character that is unsafe in a terminal is replaced by a space, so that the caret is in its column. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ' ')
}
