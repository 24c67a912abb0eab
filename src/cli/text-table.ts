import { member } from '../options/own-members.ts'
import { displayWidth, fittingLength } from '../encode/pretty/width.ts'
import { escapeForTerminal } from '../encode/pretty/visible.ts'
import { sgr, type Paint } from '../encode/pretty/colors.ts'

/** A column of a table in a terminal. */
export interface Column {
  readonly title: string
  readonly isRightAligned?: boolean
  /** Its text is truncated if the table is too wide. */
  readonly isFlexible?: boolean
  /** If the table is too wide, the column with the highest number is omitted first. */
  readonly dropOrder?: number
}

/** A cell: text with its SGR code. */
export interface Cell {
  readonly text: string
  readonly style?: string | undefined
}

const gap = '  '
/** Columns are omitted before a flexible column is narrower than this. */
const minFlexibleWidth = 32
/** No column is narrower than this, unless its texts are. */
const minWidth = 8

/**
 * Returns the lines of a table with aligned columns. Control characters in the cells are escaped.
 *
 * @param maxWidth - the width of the terminal in columns
 */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  maxWidth: number,
  paint: Paint,
): string[] {
  const header = columns.map(({ title }): Cell => ({ text: title, style: sgr.dim }))
  const cells = [header, ...rows].map((row) =>
    row.map((cell) => ({ text: escapeForTerminal(cell.text), style: member(cell, 'style') })),
  )
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => displayWidth(row[index]!.text))))
  const shown = fittingColumns(columns, widths, maxWidth)
  const excess = totalWidth(shown.map((index) => widths[index]!)) - maxWidth
  const flexible = shown.filter((index) => member(columns[index]!, 'isFlexible') === true)
  if (excess > 0) shrink(widths, flexible, excess)
  return cells.map((row) =>
    shown
      .map((index, place) => {
        const isLast = place === shown.length - 1
        return cellText(row[index]!, widths[index]!, member(columns[index]!, 'isRightAligned') === true, isLast, paint)
      })
      .join(gap)
      .trimEnd(),
  )
}

/** Returns the indexes of the columns that are shown. */
function fittingColumns(columns: readonly Column[], widths: readonly number[], maxWidth: number): number[] {
  let shown = columns.map((_, index) => index)
  const smallestWidth = (index: number) =>
    member(columns[index]!, 'isFlexible') === true ? Math.min(minFlexibleWidth, widths[index]!) : widths[index]!
  while (totalWidth(shown.map(smallestWidth)) > maxWidth) {
    const dropOrders = shown.map((index) => member(columns[index]!, 'dropOrder') ?? 0)
    const highest = Math.max(...dropOrders)
    if (highest === 0) break
    const dropped = shown[dropOrders.indexOf(highest)]
    shown = shown.filter((index) => index !== dropped)
  }
  return shown
}

/** Makes the widest flexible columns narrower, until the excess is gone or each has its smallest width. */
function shrink(widths: number[], flexible: readonly number[], excess: number): void {
  for (let remaining = excess; remaining > 0; remaining--) {
    const widest = flexible.reduce((one, other) => (widths[other]! >= widths[one]! ? other : one), flexible[0] ?? -1)
    if (widest < 0 || widths[widest]! <= minWidth) return
    widths[widest]!--
  }
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, widths.length - 1)
}

function cellText(cell: Cell, width: number, isRightAligned: boolean, isLast: boolean, paint: Paint): string {
  const fitting = truncated(cell.text, width)
  const text = isLast ? fitting.trimEnd() : fitting
  const painted = cell.style === undefined || text === '' ? text : paint(cell.style, text)
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return isRightAligned ? padding + painted : isLast ? painted : painted + padding
}

function truncated(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${text.slice(0, fittingLength(text, Math.max(0, width - 1)))}…`
}
