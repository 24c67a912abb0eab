import { describe, expect, test } from '@jest/globals'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import { LogStore } from '../../src/viewer/store/log-store.ts'
import { SpanStore } from '../../src/viewer/store/span-store.ts'
import { keysOf } from '../../src/viewer/views/keys.ts'
import { requestOf, type TestRecord } from './support.ts'
import { usedMemory } from './used-memory.ts'

const maxBytes = 4_000_000
/** The newest segment, a spare one and buffers for requests are not in the limit. All records of a test need at least 20 MB. */
const slack = 10_000_000
/** The memory of 10,000 templates. */
const templates = 14_000_000

const filler = 'x'.repeat(1_000)

describe('the memory of the store stays at its limit', () => {
  test.each<[string, number, (index: number) => TestRecord, number?]>([
    ['a message', 20_000, (index) => ({ body: `${filler} ${index}` })],
    ['no content', 200_000, () => ({})],
    ['a resource of its own', 5_000, (index) => ({ body: 'x', service: `${index} ${filler.repeat(4)}` })],
    ['a template of its own', 20_000, (index) => ({ body: `${name(index)} ${filler}` }), templates],
    [
      'a long message whose first line is short',
      100,
      (index) => ({ body: `the line ${name(index)}\n${filler.repeat(300)}` }),
    ],
    ['a long level', 500, (index) => ({ body: 'x', severityText: `${name(index)}${filler.repeat(50)}` })],
    ['a long event name', 100, (index) => ({ eventName: `${name(index)}${filler.repeat(300)}` })],
    ['keys of its own', 20_000, (index) => ({ attributes: { [`${name(index)}${filler}`]: 1 } })],
    ['a trace of its own', 20_000, (index) => ({ body: filler, traceId: index.toString(16).padStart(32, '0') })],
  ])('if each record has %s', async (_, count, recordOf, others = 0) => {
    const store = new LogStore(maxBytes)
    // The serializer keeps a buffer for its largest request.
    const batch = count < 1_000 ? 10 : 1_000
    requestOf(Array.from({ length: batch }, (__, index) => recordOf(index)))
    const before = await usedMemory()
    for (let at = 0; at < count; at += batch) {
      const records = Array.from({ length: batch }, (__, index) => recordOf(at + index))
      addLogsRequest(store, requestOf(records), 0)
    }
    expect(store.byteLength).toBeLessThan(maxBytes + slack)
    expect((await usedMemory()) - before).toBeLessThan(maxBytes + slack + others)
    expect(store.nextSequence).toBe(count)
    expect(store.firstSequence).toBeGreaterThan(0)
    const names = keysOf(store).map(({ key }) => key.length)
    expect(Math.max(0, ...names)).toBeLessThan(1_000)
  })

  test('spans with long names, of which only the start is kept', async () => {
    const spans = new SpanStore()
    const before = await usedMemory()
    for (let index = 0; index < 100; index++) {
      const name = Buffer.alloc(300_000, 120).toString()
      const ids = { spanId: index.toString(16).padStart(16, '0'), parentSpanId: '' }
      spans.add(index.toString(16).padStart(32, '0'), {
        ...ids,
        name,
        service: name,
        start: 0,
        end: 1,
        hasError: false,
      })
    }
    expect((await usedMemory()) - before).toBeLessThan(slack)
    expect(spans.ofTrace('0'.repeat(32))[0]?.name).toBe('x'.repeat(200))
  })

  test('many spans: those of the oldest trace are removed, and a trace has at most 1,000', () => {
    const spans = new SpanStore(3_000)
    const add = (trace: string, count: number): void => {
      for (let start = count; start > 0; start--)
        spans.add(trace, { spanId: 'a', parentSpanId: '', name: 'n', service: 's', start, end: 0, hasError: false })
    }
    add('first', 1_500)
    for (const trace of ['second', 'third']) add(trace, 1_000)
    expect(spans.ofTrace('first')).toHaveLength(1_000)
    expect(spans.ofTrace('first').map(({ start }) => start)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 501))
    add('fourth', 1)
    expect(['first', 'second', 'third', 'fourth'].map((trace) => spans.ofTrace(trace).length)).toEqual([
      0, 1_000, 1_000, 1,
    ])
    expect(spans.version).toBe(3_501)
  })
})

/** Returns a word that no other number has, and that is not a value in a template. */
function name(index: number): string {
  return Array.from(String(index), (digit) => 'ghjkmnpqrs'.charAt(Number(digit))).join('')
}
