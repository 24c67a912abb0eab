import type { HeldRecord } from './held-record.ts'

/** The length at which a page is closed, in UTF-16 units. */
const pageLength = 16_384
/** How many closed pages are kept as they are, because most of their records are discarded soon: those of finished requests. */
const youngPages = 8
/** The maximum number of pages whose remaining records have been moved to the open page since it was created. */
const maxMovedPages = 8

/** A piece of text with the texts of several records of any keys. */
export interface TextPage {
  text: string
  /** The length of the texts that are still held, in UTF-16 units. */
  heldLength: number
  /** The records whose texts were added. Those with another `page` are no longer in it. */
  readonly records: HeldRecord[]
  /** The bytes of memory for each UTF-16 unit. */
  bytesPerUnit: number
  state: 'open' | 'young' | 'old' | 'freed'
}

/**
 * The texts of held records. They are appended to pages, each of which becomes one string when it is closed: a string for each record would
 * cost a call of the engine for each record, and a string that is a tree of its parts takes up to twenty times as much memory as its
 * text.
 *
 * A page is freed when none of its records is held. When an old page is less than half full, the remaining texts are moved to the open page.
 * So the memory is at most twice that of the held texts, and that of the young pages.
 */
export class TextStore {
  /** The memory of all pages, in bytes. */
  byteLength = 0
  private openPage: TextPage = newPage()
  private readonly young: TextPage[] = []
  private movedPageCount = 0
  private readonly isOneByte: (text: string) => boolean

  /** @param isOneByte - returns whether the engine stores a text as one byte per character */
  constructor(isOneByte: (text: string) => boolean) {
    this.isOneByte = isOneByte
  }

  /** Adds the text of a record. Throws only if the stack is exhausted, and then nothing was added. */
  add(held: HeldRecord, text: string): void {
    if (this.openPage.text.length >= pageLength) this.closePage()
    const page = this.openPage
    page.records.push(held)
    held.start = page.text.length
    held.page = page
    page.text += text
    page.heldLength += text.length
    this.byteLength += text.length
  }

  /** Returns the text of a record. */
  textOf({ page, start, length }: HeldRecord): string {
    return page!.text.slice(start, start + length)
  }

  /** Removes the text of a record. */
  remove(held: HeldRecord): void {
    const page = held.page!
    held.page = undefined
    page.heldLength -= held.length
    if (page.heldLength === 0) this.freePage(page)
    else if (page.state === 'old' && isSparse(page)) this.moveRecords(page)
  }

  private closePage(): void {
    const page = this.openPage
    flatten(page.text)
    const bytesPerUnit = this.isOneByte(page.text) ? 1 : 2
    const nextPage = newPage()
    this.young.push(page)
    page.bytesPerUnit = bytesPerUnit
    page.state = 'young'
    this.byteLength += page.text.length * (bytesPerUnit - 1)
    this.openPage = nextPage
    this.movedPageCount = 0
    if (this.young.length <= youngPages) return
    const oldest = this.young.shift()!
    if (oldest.state === 'freed') return
    oldest.state = 'old'
    if (isSparse(oldest)) this.moveRecords(oldest)
  }

  /** Moves the remaining texts of a page to the open page. */
  private moveRecords(page: TextPage): void {
    for (const held of page.records) if (held.page === page) this.add(held, this.textOf(held))
    page.heldLength = 0
    this.freePage(page)
    // The moved texts refer to the page until the open page is closed.
    if (++this.movedPageCount >= maxMovedPages) this.closePage()
  }

  private freePage(page: TextPage): void {
    this.byteLength -= page.text.length * page.bytesPerUnit
    page.text = ''
    page.records.length = 0
    if (page.state !== 'open') page.state = 'freed'
  }
}

function newPage(): TextPage {
  return { text: '', heldLength: 0, records: [], bytesPerUnit: 1, state: 'open' }
}

function isSparse(page: TextPage): boolean {
  return page.heldLength * 2 < page.text.length
}

/** Makes the engine replace a string that is a tree of its parts by one without parts. */
function flatten(text: string): void {
  // The engine searches only strings without parts.
  anchoredExpression.test(text)
}

/** An expression that does not match a text after its first character was read. */
const anchoredExpression = /^$/
