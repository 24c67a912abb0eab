import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { OverflowPolicy } from '../../src/pipeline/overflow-policy.ts'
import { RecordQueue } from '../../src/pipeline/record-queue.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import type { OnFull } from '../../src/pipeline/exporter.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

interface Item {
  readonly length: number
  readonly severity: number
  /** A separate owner for each record, which identifies the record when it is dropped. */
  readonly owner: RecordOwner
}

const WARN = 13
const noBackpressure = { writeWithoutBlocking: () => {}, blockAndWrite: () => false }

/** A queue with its overflow policy, and a model of its contents as plain lists. */
class Subject {
  head: Item[] = []
  waiting: Item[] = []
  readonly queue: RecordQueue
  readonly maxBytes: number
  readonly maxRecords: number
  readonly onFull: OnFull
  private readonly policy: OverflowPolicy

  constructor(onFull: OnFull, maxBytes: number, maxRecords: number, maxBatch: number) {
    this.queue = new RecordQueue(byteBuffers(), maxBatch)
    this.policy = new OverflowPolicy(this.queue, { maxBytes, maxRecords, onFull })
    this.onFull = onFull
    this.maxBytes = maxBytes
    this.maxRecords = maxRecords
  }

  /** Passes a batch to the exporter, unless one is in flight. */
  take(): void {
    if (this.head.length > 0) return
    const count = this.queue.selectHead()?.count ?? 0
    this.head = this.waiting.splice(0, count)
  }

  /** Settles the batch in flight. */
  settle(): void {
    if (this.head.length > 0) this.queue.removeHead().release()
    this.head = []
  }

  log(item: Item): void {
    const { policy, waiting: before } = this
    const easy = policy.fitsUnreservedPart(item.length)
    const evicted: Item[] = []
    const isAdmitted =
      easy || policy.admit(item.length, item.severity, noBackpressure, (owner) => this.evict(owner, evicted))
    if (this.onFull === 'dropLowest') this.checkDropLowest(item, before, evicted, isAdmitted)
    else this.checkOtherPolicies(item, before, evicted, isAdmitted)
    if (!isAdmitted) return
    this.waiting.push(item)
    if (this.queue.add('x'.repeat(item.length), item.severity, item.owner)) this.queue.closeOpenBatch()
  }

  /** The size of the queue: as counted by the queue, then by the model. */
  get counts(): { bytes: number; records: number }[] {
    const all = [...this.head, ...this.waiting]
    return [
      { bytes: this.queue.heldBytes, records: this.queue.recordCount },
      { bytes: bytesOf(all), records: all.length },
    ]
  }

  private evict(owner: RecordOwner, evicted: Item[]): void {
    const item = this.waiting.find((other) => other.owner === owner)!
    // A batch in flight is never evicted, and less severe records are evicted first.
    expect(item).toBeDefined()
    if (this.onFull === 'dropLowest') expect(item.severity).toBe(leastOf(this.waiting))
    else expect(item).toBe(this.waiting[0])
    this.waiting = this.waiting.filter((other) => other !== item)
    evicted.push(item)
  }

  private checkDropLowest(item: Item, before: readonly Item[], evicted: readonly Item[], isAdmitted: boolean): void {
    for (const { severity } of evicted) expect(severity).toBeLessThan(item.severity)
    if (item.severity < WARN) {
      expect(evicted).toEqual([])
      const isFirst = this.head.length + before.length === 0
      expect(isAdmitted).toBe(this.fits(item, before, 0.8) || (isFirst && this.fits(item, before)))
    } else if (this.fits(item, before)) {
      expect({ isAdmitted, evicted }).toEqual({ isAdmitted: true, evicted: [] })
    } else if (!isAdmitted && this.fits(item, [])) {
      expect(leastOf(this.waiting)).toBeGreaterThanOrEqual(item.severity)
    }
  }

  private checkOtherPolicies(item: Item, before: readonly Item[], evicted: readonly Item[], isAdmitted: boolean): void {
    const canFit = this.onFull === 'dropOldest' ? this.fits(item, []) : this.fits(item, before)
    expect(isAdmitted).toBe(canFit)
    if (!canFit || this.onFull !== 'dropOldest') return expect(evicted).toEqual([])
    // It evicts no more than the record needs.
    const [last] = evicted.slice(-1)
    if (last !== undefined) expect(this.fits(item, [last, ...this.waiting])).toBe(false)
  }

  private fits(item: Item, waiting: readonly Item[], share = 1): boolean {
    const all = [...this.head, ...waiting]
    return bytesOf(all) + item.length <= this.maxBytes * share && all.length < this.maxRecords * share
  }
}

const bytesOf = (items: readonly Item[]) => items.reduce((sum, { length }) => sum + length, 0)
const leastOf = (items: readonly Item[]) => Math.min(...items.map(({ severity }) => severity))

const action = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('log' as const),
      length: fc.integer({ min: 1, max: 60 }),
      severity: fc.constantFrom(1, 5, 9, 12, 13, 17, 21),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('take' as const, 'settle' as const) }) },
)

// Fault rows: 14
test.each(['dropLowest', 'dropNewest', 'dropOldest'] as const)(
  '%s drops only the records it must after any sequence of operations',
  (onFull) => {
    fc.assert(
      fc.property(
        fc.record({ maxBytes: fc.integer({ min: 60, max: 600 }), maxRecords: fc.integer({ min: 1, max: 40 }) }),
        fc.integer({ min: 1, max: 10 }),
        fc.array(action, { maxLength: 200, size: 'max' }),
        ({ maxBytes, maxRecords }, maxBatch, actions) => {
          const subject = new Subject(onFull, maxBytes, maxRecords, maxBatch)
          for (const step of actions) {
            if (step.do === 'log') {
              const { length, severity } = step
              subject.log({ length, severity, owner: new RecordOwner(new Counters(), source) })
            } else subject[step.do]()
            const [counted, expected] = subject.counts
            expect(counted).toEqual(expected)
            expect(expected!.bytes).toBeLessThanOrEqual(maxBytes)
            expect(expected!.records).toBeLessThanOrEqual(maxRecords)
          }
        },
      ),
      { numRuns: 60 },
    )
  },
)
