import { EventEmitter } from 'node:events'
import { ownCopy } from '../../options/own-members.ts'

/** Keeps the last records in memory: a stream of type `raw`. */
export class RingBuffer extends EventEmitter {
  /** How many records it keeps. */
  readonly limit: number
  /** Whether it takes records. */
  writable = true
  /** The records, oldest first. */
  records: unknown[] = []

  /** @param options - `limit`: how many records it keeps; default 100 */
  constructor(options: { readonly limit?: number } = {}) {
    super()
    this.limit = ownCopy(options)?.limit || 100
  }

  /** Takes a record. Throws after its end. */
  write(record: unknown): boolean {
    if (!this.writable) throw new Error('RingBuffer has been ended already')
    this.records.push(record)
    if (this.records.length > this.limit) this.records.shift()
    return true
  }

  /** Takes no more, after this record if there is one. */
  end(...last: unknown[]): void {
    if (last.length > 0) this.write(last[0])
    this.writable = false
  }

  /** Takes no more. */
  destroy(): void {
    this.writable = false
    this.emit('close')
  }

  /** The same. */
  destroySoon(): void {
    this.destroy()
  }
}
