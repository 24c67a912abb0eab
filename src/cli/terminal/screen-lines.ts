import { stripVTControlCharacters } from 'node:util'
import { displayWidth } from '../../encode/pretty/width.ts'

/** The size of a terminal. */
export interface ScreenSize {
  readonly rows: number
  readonly columns: number
}

/** Returns how many rows of a terminal the lines of a text need, with those that long lines wrap to. */
export function screenRows(text: string, columns: number): number {
  let rows = 0
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end)
    // A line of fewer characters than half of the columns fits, also if all are wide.
    rows += line.length * 2 <= columns ? 1 : Math.max(1, Math.ceil(widthOf(line) / columns))
    start = end < 0 ? text.length : end + 1
  }
  return rows
}

function widthOf(line: string): number {
  return displayWidth(line.includes('\u001b') ? stripVTControlCharacters(line) : line)
}
