import { rowHeight } from './row-height.ts'

/** Browsers limit the height of elements. In a longer list, a pixel of the scroll bar is more than a pixel of the list. */
const maxHeight = 8_000_000
const overscan = 8

/** Which rows of a list are in the window, and where. */
export class VirtualRows {
  readonly height: number
  readonly first: number
  readonly end: number
  /** Where the first row that exists in the document is, in pixels. */
  readonly offset: number
  private readonly total: number
  private readonly windowHeight: number

  constructor(total: number, windowHeight: number, top: number) {
    this.total = total
    this.windowHeight = windowHeight
    const fullHeight = total * rowHeight
    this.height = Math.min(fullHeight, maxHeight)
    const scrollable = Math.max(1, this.height - windowHeight)
    // The position in the full list, of which the scroll bar shows a fraction.
    const position = (Math.min(top, scrollable) / scrollable) * Math.max(0, fullHeight - windowHeight)
    this.first = Math.max(0, Math.floor(position / rowHeight) - overscan)
    this.end = Math.min(total, Math.ceil((position + windowHeight) / rowHeight) + overscan)
    this.offset = Math.min(top, scrollable) - (position - this.first * rowHeight)
  }

  indexes(): number[] {
    return Array.from({ length: Math.max(0, this.end - this.first) }, (_, at) => this.first + at)
  }

  /** Scrolls so that a row is in the window. */
  reveal(list: HTMLElement, index: number): void {
    const fullHeight = this.total * rowHeight
    const scrollable = Math.max(1, this.height - this.windowHeight)
    const fullScrollable = Math.max(1, fullHeight - this.windowHeight)
    const position = (Math.min(list.scrollTop, scrollable) / scrollable) * fullScrollable
    const rowTop = index * rowHeight
    const margin = rowHeight * 2
    let target = position
    if (rowTop < position + margin) target = rowTop - margin
    else if (rowTop + rowHeight > position + this.windowHeight - margin)
      target = rowTop + rowHeight + margin - this.windowHeight
    if (target !== position) list.scrollTop = (Math.max(0, target) / fullScrollable) * scrollable
  }
}
