import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { OverflowPolicy } from '../../src/pipeline/overflow-policy.ts'
import { BoundedQueue } from '../../src/pipeline/bounded-queue.ts'
import { RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import type { OnFull } from '../../src/pipeline/exporter.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

interface Item {
  readonly length: number
  readonly severity: number
  /** Its own: what is dropped is known by it. */
  readonly origin: RecordOwner
}

const WARN = 13
const noRelief = { now: () => {}, wait: () => false }

/** A queue behind its admission, and beside it plain lists of what must be there. */
class Subject {
  head: Item[] = []
  waiting: Item[] = []
  readonly queue: BoundedQueue
  readonly maxBytes: number
  readonly maxRecords: number
  readonly onFull: OnFull
  private readonly admission: OverflowPolicy

  constructor(onFull: OnFull, maxBytes: number, maxRecords: number, maxBatch: number) {
    this.queue = new BoundedQueue(byteBuffers(), maxBatch)
    this.admission = new OverflowPolicy(this.queue, { maxBytes, maxRecords, onFull })
    this.onFull = onFull
    this.maxBytes = maxBytes
    this.maxRecords = maxRecords
  }

  /** The exporter is given a batch, unless it has one. */
  take(): void {
    if (this.head.length > 0) return
    const count = this.queue.take(true)?.count ?? 0
    this.head = this.waiting.splice(0, count)
  }

  /** It takes the batch. */
  settle(): void {
    if (this.head.length > 0) this.queue.settle(true)
    this.head = []
  }

  log(item: Item): void {
    const { admission, waiting: before } = this
    const easy = admission.isEasy(item.length)
    const shed: Item[] = []
    const enters = easy || admission.admit(item.length, item.severity, noRelief, (origin) => this.shed(origin, shed))
    if (this.onFull === 'dropLowest') this.judgeLowest(item, before, shed, enters)
    else this.judgeOthers(item, before, shed, enters)
    if (!enters) return
    this.waiting.push(item)
    if (this.queue.add('x'.repeat(item.length), item.severity, item.origin)) this.queue.cut()
  }

  /** What is here, as the queue counts it and as it is. */
  get counts(): { bytes: number; records: number }[] {
    const all = [...this.head, ...this.waiting]
    return [
      { bytes: this.queue.bytes, records: this.queue.records },
      { bytes: bytesOf(all), records: all.length },
    ]
  }

  private shed(origin: RecordOwner, shed: Item[]): void {
    const item = this.waiting.find((other) => other.origin === origin)!
    // What the exporter has never gives way, and nothing gives way before what is less severe.
    expect(item).toBeDefined()
    if (this.onFull === 'dropLowest') expect(item.severity).toBe(leastOf(this.waiting))
    else expect(item).toBe(this.waiting[0])
    this.waiting = this.waiting.filter((other) => other !== item)
    shed.push(item)
  }

  private judgeLowest(item: Item, before: readonly Item[], shed: readonly Item[], enters: boolean): void {
    for (const { severity } of shed) expect(severity).toBeLessThan(item.severity)
    if (item.severity < WARN) {
      expect(shed).toEqual([])
      const isFirst = this.head.length + before.length === 0
      expect(enters).toBe(this.fits(item, before, 0.8) || (isFirst && this.fits(item, before)))
    } else if (this.fits(item, before)) {
      expect({ enters, shed }).toEqual({ enters: true, shed: [] })
    } else if (!enters && this.fits(item, [])) {
      expect(leastOf(this.waiting)).toBeGreaterThanOrEqual(item.severity)
    }
  }

  private judgeOthers(item: Item, before: readonly Item[], shed: readonly Item[], enters: boolean): void {
    const canFit = this.onFull === 'dropOldest' ? this.fits(item, []) : this.fits(item, before)
    expect(enters).toBe(canFit)
    if (!canFit || this.onFull !== 'dropOldest') return expect(shed).toEqual([])
    // No more than the record needs.
    const [last] = shed.slice(-1)
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

test.each(['dropLowest', 'dropNewest', 'dropOldest'] as const)(
  '%s gives up what it must and nothing else, whatever comes (row 14)',
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
              subject.log({ length, severity, origin: new RecordOwner(new Counters(), source) })
            } else subject[step.do]()
            const [counted, there] = subject.counts
            expect(counted).toEqual(there)
            expect(there!.bytes).toBeLessThanOrEqual(maxBytes)
            expect(there!.records).toBeLessThanOrEqual(maxRecords)
          }
        },
      ),
      { numRuns: 150 },
    )
  },
)
