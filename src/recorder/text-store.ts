import type { ByteBuffers } from '../pipeline/batch-buffer.ts'
import type { HeldRecord } from './held-record.ts'
import { TextPage } from './text-page.ts'

/** The maximum length of a page with several texts, in UTF-16 units. A page of ASCII text then fits a pooled buffer. */
const maxPageLength = 68 * 1_024
/** How many pages may contain discarded texts only, in addition to the memory of the held texts. */
const maxUnusedPages = 4

/**
 * The texts of held records. They are appended to pages, each of which becomes one buffer of bytes: a string for each record would cost
 * more in the log call, and a string that is a tree of its parts takes up to twenty times the memory of its text.
 *
 * A page is freed when none of its records is held. When discarded texts use more memory than held ones, the held texts of a page that is
 * less than half full are moved to the open page. So the memory is at most about twice that of the held texts.
 */
export class TextStore {
  /** The memory of all pages in bytes. */
  byteLength = 0
  /** The length of all texts in the pages, and that of the held ones, in UTF-16 units. */
  private length = 0
  private heldLength = 0
  private readonly buffers: ByteBuffers
  private readonly pageLength: number
  private readonly endOfTurn: (callback: () => void) => unknown
  private openPage: TextPage<HeldRecord>
  /** Whether `encodeOpenPage` will be called at the end of the turn. */
  private isEncodingScheduled = false
  /** The closed pages that contain held texts. Those that were found to be more than half full are last. */
  private readonly closedPages = new Set<TextPage<HeldRecord>>()

  /**
   * @param maxBytes - the memory that the texts may use, which determines the length of pages
   * @param endOfTurn - runs a callback at the end of the current turn of the event loop
   */
  constructor(buffers: ByteBuffers, maxBytes: number, endOfTurn: (callback: () => void) => unknown) {
    this.buffers = buffers
    this.endOfTurn = endOfTurn
    this.pageLength = Math.min(maxPageLength, Math.ceil(maxBytes / 16))
    this.openPage = new TextPage<HeldRecord>(buffers)
  }

  /** Adds the text of a record. Throws only if the stack is exhausted, and then before the text was added. */
  add(held: HeldRecord, text: string): void {
    if (this.openPage.length + text.length > this.pageLength && this.openPage.length > 0) this.closePage()
    if (this.openPage.isEncodingDue && !this.isEncodingScheduled) this.scheduleEncoding()
    this.openPage.append(held, text)
    this.byteLength += text.length
    this.length += text.length
    this.heldLength += text.length
  }

  /** Removes the text of a record. */
  remove(held: HeldRecord): void {
    const page = held.page!
    held.page = undefined
    page.heldLength -= held.length
    this.heldLength -= held.length
    if (page.heldLength === 0) this.freePage(page)
    else if (this.length > 2 * this.heldLength + maxUnusedPages * this.pageLength) this.freeSparsePage()
  }

  /** Encodes text between log calls, so that a log call does not have to. */
  private scheduleEncoding(): void {
    this.endOfTurn(this.encodeOpenPage)
    this.isEncodingScheduled = true
  }

  private readonly encodeOpenPage = (): void => {
    this.isEncodingScheduled = false
    this.openPage.encode()
  }

  private closePage(): void {
    const page = this.openPage
    const nextPage = new TextPage<HeldRecord>(this.buffers)
    const { byteLength } = page
    page.close()
    this.byteLength += page.byteLength - byteLength
    this.openPage = nextPage
    this.closedPages.add(page)
  }

  /** Moves the held texts of a page that is less than half full to the open page. */
  private freeSparsePage(): void {
    let remaining = this.closedPages.size
    for (const page of this.closedPages) {
      if (page.isSparse) return this.moveTexts(page)
      if (remaining-- === 0) return
      this.closedPages.delete(page)
      this.closedPages.add(page)
    }
  }

  private moveTexts(page: TextPage<HeldRecord>): void {
    for (const held of page.records) {
      if (held.page !== page) continue
      this.heldLength -= held.length
      this.add(held, page.textOf(held))
    }
    this.freePage(page)
  }

  private freePage(page: TextPage<HeldRecord>): void {
    this.byteLength -= page.byteLength
    this.length -= page.length
    this.closedPages.delete(page)
    page.free()
  }
}
