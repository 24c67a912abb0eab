import { rowHeight } from './row-height.ts'

/** The rows that exist in the document. */
export interface RowWindow {
  readonly first: number
  readonly end: number
  /** Where the first row is in the scrolled element, in pixels. */
  readonly offset: number
}

/** The number of rows before and after the window that exist too. */
export const overscan = 8

/** Returns the positions from the first row of a window to the one after its last row. */
export function indexesOf({ first, end }: RowWindow): number[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at)
}

/** Returns the rows that are needed to show a part of a list. */
export function rowWindow(total: number, position: number, windowHeight: number, top: number): RowWindow {
  const first = Math.max(0, Math.floor(position / rowHeight) - overscan)
  const end = Math.min(total, Math.ceil((position + windowHeight) / rowHeight) + overscan)
  return { first, end, offset: top - (position - first * rowHeight) }
}
