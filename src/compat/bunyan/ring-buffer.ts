import { EventEmitter } from 'node:events'
import { withoutPrototype } from '../../options/own-members.ts'

/** Keeps the latest records in memory. Use it as a stream of type `raw`. */
export class RingBuffer extends EventEmitter {
  /** Maximum number of records. */
  readonly limit: number
  /** Whether it accepts records. */
  writable = true
  /** The records, oldest first. */
  records: unknown[] = []

  /** @param options - `limit`: maximum number of records; default: 100 */
  constructor(options: { readonly limit?: number } = {}) {
    super()
    this.limit = withoutPrototype(options)?.limit || 100
  }

  /**
   * Adds a record.
   *
   * @throws Error after `end()` or `destroy()`.
   */
  write(record: unknown): boolean {
    if (!this.writable) throw new Error('RingBuffer has been ended already')
    this.records.push(record)
    if (this.records.length > this.limit) this.records.shift()
    return true
  }

  /** Adds the given record, if any, and accepts no more. */
  end(...last: unknown[]): void {
    if (last.length > 0) this.write(last[0])
    this.writable = false
  }

  /** Accepts no more records. */
  destroy(): void {
    this.writable = false
    this.emit('close')
  }

  /** Same as `destroy()`. */
  destroySoon(): void {
    this.destroy()
  }
}
