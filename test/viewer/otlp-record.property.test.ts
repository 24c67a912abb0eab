import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { AnyValue } from '../../src/record/any-value.ts'
import { OtlpRecord, type RecordSource } from '../../src/viewer/otlp/otlp-record.ts'
import { writeLogRecord } from '../../src/viewer/otlp/write-log-record.ts'
import { addLogsRequest } from '../../src/viewer/otlp/add-logs.ts'
import { LogStore } from '../../src/viewer/store/log-store.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'
import { requestOf, storeWith, type TestRecord } from './support.ts'

const source: RecordSource = {
  format: 'otlp',
  origin: { file: 'otlp', line: Number.NaN, container: undefined, stream: undefined },
  resource: new Map(),
  scope: undefined,
  scopeVersion: undefined,
}
const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true }).filter((number) => !Number.isInteger(number)),
    fc.uint8Array({ maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 3 }),
  ),
}))
const hexDigits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: length, maxLength: length })
const record: fc.Arbitrary<TestRecord> = fc.record({
  time: fc.integer({ min: 1, max: 4_000_000_000_000 }),
  severityNumber: fc.integer({ min: 1, max: 24 }),
  severityText: fc.constantFrom('INFO', 'WARN', 'custom'),
  body: value,
  attributes: fc.dictionary(text, value, { maxKeys: 5 }),
  traceId: hexDigits(32).filter((id) => !/^0+$/.test(id)),
  spanId: hexDigits(16).filter((id) => !/^0+$/.test(id)),
  eventName: fc.constantFrom('', 'order.placed'),
})

test('records of the official exporter are read as they were logged', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
      const store = storeWith(records)
      const read = records.map((_, index) => store.readAt(store.segments[0]!, index))
      expect(read.map(partsOf)).toEqual(
        records.map((logged) => ({
          time: logged.time,
          severityNumber: logged.severityNumber,
          severityText: logged.severityText,
          body: plain(logged.body),
          attributes: plain(logged.attributes),
          traceId: logged.traceId,
          spanId: logged.spanId,
          eventName: logged.eventName === '' ? undefined : logged.eventName,
          service: 'shop',
          scope: 'http',
        })),
      )
    }),
    { seed, numRuns: 100 * runs },
  )
})

test('a record that is written as OTLP is read with the same parts', () => {
  fc.assert(
    fc.property(record, (logged) => {
      const store = storeWith([logged])
      const first = store.readAt(store.segments[0]!, 0)
      const second = new OtlpRecord(writeLogRecord(first), { ...source, resource: first.resource, scope: first.scope })
      expect(partsOf(second)).toEqual(partsOf(first))
    }),
    { seed, numRuns: 100 * runs },
  )
})

describe('damaged bytes', () => {
  test('a record of any bytes is read without an error, and has an attribute if it is damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(() => partsOf(new OtlpRecord(Buffer.from(bytes), source))).not.toThrow()
      }),
      { seed, numRuns: 100 * runs },
    )
    const damaged = new OtlpRecord(Buffer.from([0x2a, 0x7f]), source)
    expect(damaged.attributes.get('otlp.damage')).toMatch(/are damaged/)
  })

  test('a request that ends too early is refused, and the records before its end are kept', () => {
    const request = requestOf([{ body: 'one' }, { body: 'two' }])
    for (let length = 1; length < request.length; length++) {
      const store = new LogStore(64 * 1024 * 1024)
      expect(() => addLogsRequest(store, request.subarray(0, length), 0)).toThrow(RangeError)
    }
  })

  test('a request with any change of one byte is read or refused with a RangeError or an Error of the reader', () => {
    const request = requestOf([{ body: 'one', attributes: { a: [1, { b: true }] }, traceId: 'a'.repeat(32) }])
    fc.assert(
      fc.property(fc.nat(request.length - 1), fc.nat(255), (position, byte) => {
        const changed = Buffer.from(request)
        changed[position] = byte
        const store = new LogStore(64 * 1024 * 1024)
        const error = errorOf(() => addLogsRequest(store, changed, 0))
        expect(error === undefined || error instanceof Error).toBe(true)
        for (const segment of store.segments)
          for (let index = 0; index < segment.count; index++)
            expect(() => partsOf(store.readAt(segment, index))).not.toThrow()
      }),
      { seed, numRuns: 100 * runs },
    )
  })
})

function partsOf(read: OtlpRecord): object {
  return {
    time: read.time,
    severityNumber: read.severityNumber,
    severityText: read.severityText,
    body: plain(read.body),
    attributes: plain(read.attributes),
    traceId: read.traceId,
    spanId: read.spanId,
    eventName: read.eventName,
    service: read.resource.get('service.name'),
    scope: read.scope,
  }
}

/** Returns a value in one form: entries in place of objects and maps, without undefined. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] }
  if (value instanceof Map)
    return { entries: [...(value as ReadonlyMap<string, AnyValue>)].map(([key, item]) => [key, plain(item)]) }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return { entries: Object.entries(value).map(([key, item]) => [key, plain(item)]) }
  return value
}

function errorOf(call: () => void): unknown {
  try {
    call()
    return undefined
  } catch (error) {
    return error
  }
}
