import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { RecordQueue } from '../../src/pipeline/record-queue.ts'
import { type BatchBuffer, RecordOwner } from '../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../src/pipeline/counters.ts'
import { byteBuffers } from '../../src/platform/node/byte-buffers.ts'
import { source } from '../support/pipeline/batch.ts'

interface Item {
  readonly text: string
  readonly severity: number
  readonly owner: RecordOwner
}

/** The reference model of a queue: plain lists with the same operations. */
class Model {
  head: Item[] | undefined
  closed: Item[][] = []
  open: Item[] = []

  get all(): Item[] {
    return [...(this.head ?? []), ...this.closed.flat(), ...this.open]
  }

  cut(): void {
    if (this.open.length > 0) this.closed.push(this.open)
    this.open = []
  }

  take(all: boolean): Item[] | undefined {
    if (this.head !== undefined) return this.head
    if (this.closed.length === 0 && all) this.cut()
    return (this.head = this.closed.shift())
  }

  evictOldest(bytes: number): Item[] {
    if (this.closed.length === 0) this.cut()
    const batch = this.closed[0]
    if (batch === undefined) return []
    const evicted: Item[] = []
    while (batch.length > 0 && sizeOf(evicted) < Math.max(1, bytes)) evicted.push(batch.shift()!)
    if (batch.length === 0) this.closed.shift()
    return evicted
  }

  evictLowest(severity: number): Item[] {
    const lowest = Math.min(...[...this.closed.flat(), ...this.open].map((item) => item.severity))
    if (!(lowest < severity)) return []
    const isLowest = (item: Item) => item.severity === lowest
    if (!this.closed.some((batch) => batch.some(isLowest))) this.cut()
    const at = this.closed.findIndex((batch) => batch.some(isLowest))
    const evicted = this.closed[at]!.filter(isLowest)
    const kept = this.closed[at]!.filter((item) => !isLowest(item))
    this.closed.splice(at, 1, ...(kept.length > 0 ? [kept] : []))
    return evicted
  }
}

const sizeOf = (items: readonly Item[]) => items.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
const unitsOf = (items: readonly Item[]) => items.reduce((sum, { text }) => sum + text.length, 0)
const owners: RecordOwner[] = [new RecordOwner(new Counters(), source), new RecordOwner(new Counters(), source)]

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      body: fc.constantFrom('a', 'abc', 'é', '日本', '😀😀', 'abcdefghij'.repeat(4)),
      severity: fc.constantFrom(1, 9, 13, 17),
      owner: fc.nat(1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take' as const), all: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), reuse: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('evictOldest' as const), bytes: fc.nat(100) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('evictLowest' as const), severity: fc.constantFrom(9, 13, 17, 21) }),
  },
)

test('a bounded queue matches a model of plain lists after any sequence of operations', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), fc.constantFrom(1, 3, Infinity), (actions, maxBatch) => {
      const queue = new RecordQueue(byteBuffers(), maxBatch)
      const model = new Model()
      let batch: BatchBuffer | undefined
      actions.forEach((step, seq) => {
        const evicted: { owner: RecordOwner; severity: number }[] = []
        let expected: Item[] = []
        const dropped = (owner: RecordOwner, severity: number) => void evicted.push({ owner, severity })
        switch (step.do) {
          case 'add': {
            const item = { text: `${seq}${step.body}\n`, severity: step.severity, owner: owners[step.owner]! }
            const full = queue.add(item.text, item.severity, item.owner)
            model.open.push(item)
            same(full, model.open.length >= maxBatch)
            if (full) {
              queue.closeOpenBatch()
              model.cut()
            }
            break
          }
          case 'cut':
            same(queue.closeOpenBatch(), queue.openSequence - 1)
            model.cut()
            break
          case 'take':
            batch = step.all ? queue.selectHead() : queue.selectClosedHead()
            same(recordsOf(batch), recordsOfItems(model.take(step.all)))
            break
          case 'settle': {
            if (batch === undefined) break
            const removed = queue.removeHead()
            if (step.reuse) removed.release()
            model.head = undefined
            batch = undefined
            break
          }
          case 'evictOldest':
            expected = model.evictOldest(step.bytes)
            same(queue.evictOldest(step.bytes, dropped), expected.length > 0)
            break
          case 'evictLowest':
            expected = model.evictLowest(step.severity)
            same(queue.evictLowest(step.severity, dropped), expected.length > 0)
            break
        }
        expect(evicted).toEqual(expected.map(({ owner, severity }) => ({ owner, severity })))
        expect(queue.recordCount).toBe(model.all.length)
        expect(queue.heldBytes).toBe(sizeOf(model.head ?? []) + sizeOf(model.closed.flat()) + unitsOf(model.open))
        expect(queue.inFlightRecords).toBe(model.head?.length ?? 0)
        expect(queue.inFlightBytes).toBe(sizeOf(model.head ?? []))
        // Later operations must not change the batch that was taken.
        expect(recordsOf(batch)).toEqual(recordsOfItems(model.head))
      })
      const rest: unknown[] = []
      for (let batch = queue.selectHead(); batch !== undefined; batch = queue.selectHead()) {
        rest.push(...recordsOf(batch)!)
        queue.removeHead().release()
      }
      expect(rest).toEqual(recordsOfItems(model.all))
      expect([queue.heldBytes, queue.recordCount]).toEqual([0, 0])
    }),
    { numRuns: 300 },
  )
})

function same(actual: unknown, expected: unknown): void {
  expect(actual).toEqual(expected)
}

function recordsOf(batch: BatchBuffer | undefined) {
  return batch?.records().map(({ text, severity }) => ({ text, severity }))
}

function recordsOfItems(items: readonly Item[] | undefined) {
  return items?.map(({ text, severity }) => ({ text, severity }))
}

test('the sequence number of the oldest batch increases only when a batch is settled', () => {
  const queue = new RecordQueue(byteBuffers(), Infinity)
  const [owner] = owners
  queue.add('a\n', 9, owner!)
  const upTo = queue.closeOpenBatch()
  queue.add('b\n', 9, owner!)
  expect(queue.oldestSequence).toBe(upTo)
  queue.selectClosedHead()
  expect(queue.oldestSequence).toBe(upTo)
  queue.removeHead().release()
  expect(queue.oldestSequence).toBeGreaterThan(upTo)
})

test.each([undefined, 65_536])('a batch has capacity for its maximum length and for no more (%p)', (batchLength) => {
  const queue = new RecordQueue(byteBuffers(), Infinity, batchLength)
  const line = 'x'.repeat(1_023) + '\n'
  const lines = (batchLength ?? 69_632) / line.length
  const full = Array.from({ length: lines }, () => !queue.fitsOpenBatch(line.length) || queue.add(line, 9, owners[0]!))
  expect(full.indexOf(true)).toBe(lines - 1)
  expect(queue.fitsOpenBatch(0)).toBe(true)
  expect(queue.fitsOpenBatch(1)).toBe(false)
  queue.closeOpenBatch()
  expect(queue.fitsOpenBatch(100_000)).toBe(true)
})
