import { signal, type Signal } from '@preact/signals'
import { rowHeight } from './row-height.ts'
import { overscan, rowWindow, type RowWindow } from './virtual-rows.ts'

/** Browsers limit the height of elements. In a longer list, a pixel of the scroll bar is more than a pixel of the list. */
const maxHeight = 8_000_000
/** A scroll bar that is dragged moves by more than this part of the window, a wheel by less. */
const longMove = 1.5
/** How long after its last move the scroll bar is corrected, in ms. */
const settleMillis = 150

/**
 * Where the list is scrolled to. The position is independent of the scroll bar, so that what is read stays in place while rows are added to
 * a list that is longer than an element can be high.
 */
export class ListScroll {
  /** Changes when the list has to be shown again. */
  readonly version: Signal<number> = signal(0)
  /** The pixels of the full list that are before its window. */
  private position = 0
  private windowHeight = 600
  private total = 0
  /** The scroll position of the element for which rows are shown. */
  private top = 0
  /** The scroll position of the element that was set or reported last. */
  private knownTop = 0
  private isScrolling = false
  private settleTimer: ReturnType<typeof setTimeout> | undefined

  /** The height of the scrolled content, in pixels. */
  get height(): number {
    return Math.min(this.total * rowHeight, maxHeight)
  }

  /** The position of the first row that is seen as a whole. */
  get firstRow(): number {
    return Math.ceil(this.position / rowHeight)
  }

  /** The number of rows that are seen, and some more. */
  get windowRows(): number {
    return Math.ceil(this.windowHeight / rowHeight) + 2 * overscan
  }

  /** Whether the last row is seen. */
  get isAtEnd(): boolean {
    return this.position >= this.maxPosition - 2
  }

  /** Begins to scroll an element. */
  attach(list: HTMLElement): void {
    this.knownTop = list.scrollTop
  }

  resize(windowHeight: number): void {
    if (windowHeight === this.windowHeight) return
    const wasAtEnd = this.isAtEnd
    this.windowHeight = windowHeight
    // The last row stays in a window that becomes smaller.
    if (wasAtEnd) this.position = this.maxPosition
    this.version.value++
  }

  /** Returns the rows that are needed, for a number of all rows. */
  windowOf(total: number, isFollowing: boolean): RowWindow {
    this.total = total
    this.position = isFollowing ? this.maxPosition : this.limited(this.position)
    if (!this.isScrolling || isFollowing) this.top = this.topOf(this.position)
    return rowWindow(total, this.position, this.windowHeight, this.top)
  }

  /** Moves the scroll bar to the position. */
  applyTo(list: HTMLElement): void {
    // Reading the position of an element computes its layout, which takes most of the time of a frame.
    if (this.isScrolling && this.top === this.knownTop) return
    const expected = Math.min(this.knownTop, list.scrollHeight - list.clientHeight)
    // The user has moved it, which is reported soon.
    if (Math.abs(list.scrollTop - expected) > 1) return
    if (list.scrollTop !== this.top) list.scrollTop = this.top
    this.knownTop = list.scrollTop
  }

  /** Handles a move of the scroll bar. Returns its direction: -1, 1, or 0 if it was not the user who moved it. */
  scrolled(top: number): number {
    const moved = top - this.knownTop
    if (Math.abs(moved) < 1) return 0
    this.top = top
    this.knownTop = top
    this.isScrolling = true
    clearTimeout(this.settleTimer)
    this.settleTimer = setTimeout(() => this.settle(), settleMillis)
    const isShortMove = Math.abs(moved) < this.windowHeight * longMove && top > 0 && top < this.maxTop - 1
    this.position =
      isShortMove && this.maxTop < this.maxPosition ? this.limited(this.position + moved) : this.positionOf(top)
    this.version.value++
    return Math.sign(moved)
  }

  /** Scrolls by whole rows, because rows were inserted or removed before those that are seen. */
  moveByRows(rows: number): void {
    this.position = Math.max(0, this.position + rows * rowHeight)
    this.version.value++
  }

  /** Scrolls so that a row is in the window. */
  reveal(index: number): void {
    const rowTop = index * rowHeight
    const margin = rowHeight * 2
    const end = this.position + this.windowHeight
    if (rowTop < this.position + margin) this.position = Math.max(0, rowTop - margin)
    else if (rowTop + rowHeight > end - margin) this.position = rowTop + rowHeight + margin - this.windowHeight
    else return
    this.settle()
  }

  private settle(): void {
    clearTimeout(this.settleTimer)
    this.isScrolling = false
    this.version.value++
  }

  private get maxPosition(): number {
    return Math.max(0, this.total * rowHeight - this.windowHeight)
  }

  private get maxTop(): number {
    return Math.max(0, this.height - this.windowHeight)
  }

  private limited(position: number): number {
    return Math.min(this.maxPosition, Math.max(0, position))
  }

  private topOf(position: number): number {
    return this.maxPosition === 0 ? 0 : Math.round((position / this.maxPosition) * this.maxTop)
  }

  private positionOf(top: number): number {
    return this.maxTop === 0 ? 0 : (Math.min(top, this.maxTop) / this.maxTop) * this.maxPosition
  }
}

/** Where the list of records is scrolled to. */
export const listScroll: ListScroll = new ListScroll()
