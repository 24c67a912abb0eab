import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import { release, textItem, type HeldItem } from './held-item.ts'

/** Keeps the last records, and passes them to a sink at the end. */
export class LastItems implements RecordSink {
  readonly #limit: number
  readonly #items: HeldItem[] = []
  /** Where the oldest item is. */
  #oldest = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The number of items that are kept. */
  get count(): number {
    return this.#items.length
  }

  /** Whether a further item replaces the oldest one. */
  get isFull(): boolean {
    return this.#items.length === this.#limit
  }

  /** Removes all items. */
  clear(): void {
    this.#items.length = 0
    this.#oldest = 0
  }

  record(record: ReadRecord): void {
    this.#add({ record, isText: false })
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.#add(textItem(bytes, origin))
  }

  /** Passes the kept items to a sink, the oldest first. */
  releaseTo(sink: RecordSink): void {
    const items = this.#items
    for (let index = 0; index < items.length; index++) release(items[(this.#oldest + index) % items.length]!, sink)
  }

  #add(item: HeldItem): void {
    if (this.#limit === 0) return
    if (this.#items.length < this.#limit) {
      this.#items.push(item)
      return
    }
    this.#items[this.#oldest] = item
    this.#oldest = (this.#oldest + 1) % this.#limit
  }
}
