import { beforeAll, describe, expect, it, jest } from '@jest/globals'
import * as fc from 'fast-check'
import type { AnyValue } from '../../../src/record/any-value.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { seed } from '../../support/seed.ts'
import { plainValue } from '../formats/read-line.ts'
import { libraryParts, libraryTime } from './library-parts.ts'
import { streamParts, type StreamPart } from './mixed-stream.ts'
import { readBytes, textOf, type Item } from './read-bytes.ts'
import { recordedParts } from './recorded-parts.ts'

let parts: readonly StreamPart[] = []
beforeAll(async () => {
  jest.useFakeTimers({
    now: libraryTime,
    doNotFake: ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout'],
  })
  try {
    parts = [...(await libraryParts()), ...recordedParts]
  } finally {
    jest.useRealTimers()
  }
})

/** The properties that are compared, also when the expected record does not have them. */
const always = ['format', 'level', 'severityNumber', 'time', 'message', 'traceId', 'spanId'] as const

function properties(record: Partial<ReadRecord> | undefined, names: readonly string[]): unknown {
  if (record === undefined) return undefined
  return Object.fromEntries(
    names.map((name) => {
      const value = record[name as keyof ReadRecord]
      return [name, value instanceof Map ? withoutSource(plainValue(value) as Record<string, unknown>) : value]
    }),
  )
}

/** Returns attributes without the place of the log call, which tslog 4 adds. */
function withoutSource(attributes: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith('code.')))
}

/** Returns what was read of parts, and what is expected. */
function compared(items: readonly Item[], read: readonly StreamPart[]): [actual: unknown[], expected: unknown[]] {
  const actual: unknown[] = []
  const expected: unknown[] = []
  for (const [index, { lines, record: wanted }] of read.entries()) {
    const { attributeValues: _values, origin: _origin, ...others } = wanted ?? {}
    const names = [...new Set([...always, ...Object.keys(others)])]
    actual.push([items[index]?.raw.toString(), properties(items[index]?.record, names)])
    expected.push([lines.map((line) => `${line}\n`).join(''), properties(wanted, names)])
  }
  return [actual, expected]
}

const textPart: StreamPart = { name: 'text', lines: ['-- text --'], record: undefined }
const linesOf = (read: readonly StreamPart[]): string =>
  read.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('')

describe('RecordReader', () => {
  it('reads level, time, message, trace and all attributes of lines that the libraries wrote, in one stream', () => {
    const items = readBytes(linesOf(parts))
    const [actual, expected] = compared(items, parts)
    expect(actual).toEqual(expected)
    expect(items).toHaveLength(parts.length)
  })

  it('reads the lines of libraries in any order, between lines of all formats and envelopes', () => {
    // Parts of several lines without a record are several items.
    const others = streamParts.filter(({ lines, record }) => lines.length === 1 && record !== undefined)
    const order = fc.array(fc.oneof(fc.nat(parts.length - 1), fc.constantFrom(...others), fc.constant(textPart)), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(order, fc.array(fc.integer({ min: 1, max: 9 })), fc.boolean(), (order, counts, reuseBuffer) => {
        const stream = order.map((item) => (typeof item === 'number' ? parts[item]! : item))
        const items = readBytes(linesOf(stream), { reuseBuffer }, counts)
        const known = stream.map((item) => (others.includes(item) ? { ...item, record: undefined } : item))
        const [actual, expected] = compared(
          items.map((item, index) => (others.includes(stream[index]!) ? { ...item, record: undefined } : item)),
          known,
        )
        expect(actual).toEqual(expected)
        expect(items.map(textOf).join('')).toBe(linesOf(stream))
      }),
      { seed, numRuns: 200 },
    )
  })

  it('reads the lines of libraries in the envelopes of containers', () => {
    const wraps: readonly (readonly [wrap: (line: string) => string, resource?: readonly [string, AnyValue][]])[] = [
      [(line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: '2026-11-21T09:56:04.000000001Z' })],
      [(line) => `2016-10-06T00:17:09.669794202Z stdout F ${line}`],
      [(line) => `web-1  | ${line}`],
      [(line) => `[pod/web/app] ${line}`],
      [
        (line) => `<14>1 2026-11-21T09:56:04Z host app 7 - - ${line}`,
        [
          ['service.name', 'app'],
          ['host.name', 'host'],
          ['process.pid', 7],
        ],
      ],
    ]
    const json = parts.filter(({ lines }) => lines[0]!.startsWith('{'))
    for (const [wrap, resource = []] of wraps) {
      const wrapped = json.map(({ name, lines, record }) => ({
        name,
        lines: lines.map(wrap),
        // A value of the line has precedence.
        record:
          record?.resource === undefined ? record : { ...record, resource: new Map([...resource, ...record.resource]) },
      }))
      const [actual, expected] = compared(readBytes(linesOf(wrapped)), wrapped)
      expect(actual).toEqual(expected)
    }
  })
})
