import { describe, expect, it, test } from '@jest/globals'
import * as fc from 'fast-check'
import { HtmlOutput, maxHtmlRecords } from '../../../src/viewer/api/html-output.ts'
import { RecordRedactor } from '../../../src/output/record-redactor.ts'
import { newRecordReader } from '../../../src/read/record-batches.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { addLogsJson } from '../../../src/viewer/otlp/otlp-json.ts'
import { LogStore } from '../../../src/viewer/store/log-store.ts'
import { RecordAdder } from '../../../src/viewer/store/record-adder.ts'
import { runs } from '../../support/runs.ts'
import { seed } from '../../support/seed.ts'
import { bytesWritten, MemoryWriter, readRecord } from '../../output/written.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'message', 'level', 'a.b', ''))
const integer = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 9_007_199_254_740_993n))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    text,
    fc.boolean(),
    fc.constant(null),
    integer,
    fc.constantFrom(Number.NaN, Infinity, -Infinity, 0.1, 1e300, 5e-324),
    fc.uint8Array({ maxLength: 5 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((entries) => new Map(entries)),
  ),
}))
const hexDigits = (length: number) =>
  fc
    .string({ unit: fc.constantFrom(...Array.from('0123456789abcdef')), minLength: length, maxLength: length })
    .filter((id) => !/^0+$/.test(id))
const map = fc.array(fc.tuple(key, value), { maxLength: 4 }).map((entries) => new Map(entries))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const record: fc.Arbitrary<ReadRecord> = fc
  .record({
    timeUnixNano: optional(fc.bigInt({ min: 1n, max: 4_000_000_000_000_000_000n })),
    level: fc.constantFrom<[number, string, string | undefined]>(
      [9, 'info', undefined],
      [0, 'audit', 'Audit'],
      [17, 'error', 'ERROR'],
      [10, 'info2', undefined],
      [13, 'notice', 'notice'],
      [0, '', undefined],
    ),
    body: optional(value),
    eventName: optional(fc.constantFrom('order.placed', 'für')),
    attributes: map,
    resource: map,
    scope: optional(fc.constantFrom('http', 'a "b"')),
    scopeVersion: optional(fc.constant('1.2')),
    traceId: optional(hexDigits(32)),
    spanId: optional(hexDigits(16)),
    traceFlags: optional(fc.integer({ min: 0, max: 255 })),
  })
  .map(({ level: [severityNumber, level, severityText], attributes, resource, ...parts }) => {
    const message = typeof parts.body === 'string' ? parts.body : undefined
    const read = readRecord({ ...(parts as object), message, severityNumber, level, severityText, time: undefined })
    return Object.assign(read, { timeUnixNano: parts.timeUnixNano, attributes, resource })
  })

const maxBytes = 64 * 1024 * 1024

function recordsOf(store: LogStore): ReadRecord[] {
  return store.segments.flatMap((segment) =>
    Array.from({ length: segment.count }, (_, index) => store.readAt(segment, index)),
  )
}

/** Returns a store with records that were read from lines. */
function storeOf(records: readonly ReadRecord[]): LogStore {
  const store = new LogStore(maxBytes)
  const adder = new RecordAdder(store, () => 1)
  for (const each of records) adder.record(each)
  return store
}

const exported = (store: LogStore): Buffer =>
  bytesWritten('otlp', (output) => {
    for (const each of recordsOf(store)) output.record(each)
  })

/** Returns what an import must keep of a record. */
function partsOf(read: ReadRecord): object {
  return {
    time: read.timeUnixNano,
    severityNumber: read.severityNumber,
    level: read.level,
    severityText: read.severityText,
    body: entriesOf(read.body),
    message: read.message,
    eventName: read.eventName,
    attributes: entriesOf(read.attributes),
    resource: entriesOf(read.resource),
    scope: read.scope,
    scopeVersion: read.scopeVersion,
    traceId: read.traceId,
    spanId: read.spanId,
    traceFlags: read.traceFlags,
  }
}

/** Returns a value with lists of entries in place of maps, so that the order of keys and bytes are compared too. */
function entriesOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] }
  if (value instanceof Map)
    return { entries: [...(value as ReadonlyMap<string, unknown>)].map(([name, item]) => [name, entriesOf(item)]) }
  return Array.isArray(value) ? value.map(entriesOf) : value
}

describe('the export as OTLP/JSON', () => {
  const records = fc.array(record, { minLength: 1, maxLength: 6 })
  it('is read by the viewer as equal records if it is named as a file', () => {
    fc.assert(
      fc.property(records, (all) => {
        const first = storeOf(all)
        const second = new LogStore(maxBytes)
        const reader = newRecordReader('a.jsonl', new RecordAdder(second, () => 1), {})
        reader.read({ bytes: exported(first), firstLine: 1, offset: 0, isEnd: true })
        reader.flush()
        expect(recordsOf(second).map(partsOf)).toEqual(recordsOf(first).map(partsOf))
      }),
      { seed, numRuns: 50 * runs },
    )
  })

  it('is read by the viewer as equal records if its lines are sent to /v1/logs', () => {
    fc.assert(
      fc.property(records, (all) => {
        const first = storeOf(all)
        const second = new LogStore(maxBytes)
        const adder = new RecordAdder(second, () => 1)
        for (const line of exported(first).toString().trimEnd().split('\n')) addLogsJson(adder, line)
        expect(recordsOf(second).map(partsOf)).toEqual(recordsOf(first).map(partsOf))
      }),
      { seed, numRuns: 50 * runs },
    )
  })
})

describe('the store', () => {
  it('keeps all parts of records that were read from lines', () => {
    fc.assert(
      fc.property(record, (each) => {
        const { level, severityText, ...parts } = partsOf(each) as Record<string, unknown>
        // A name of a level without its spelling in the line is kept as the text.
        expect(partsOf(recordsOf(storeOf([each]))[0]!)).toMatchObject({ ...parts, level })
        expect([severityText, level, undefined]).toContain(recordsOf(storeOf([each]))[0]!.severityText)
      }),
      { seed, numRuns: 50 * runs },
    )
  })
})

const htmlOf = (all: readonly ReadRecord[], total = all.length): string => {
  const writer = new MemoryWriter()
  const output = new HtmlOutput(writer, total)
  for (const each of all) output.record(each)
  output.end()
  return writer.bytes.toString()
}

const hostile =
  '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&\u0000\u001b[31m\u202e</details></dd><style>*{}'

describe('the page of an export', () => {
  test.each([
    ['the message', { message: hostile, body: hostile }],
    ['the level', { level: hostile }],
    ['an attribute', { attributes: { a: hostile } }],
    ['the name of an attribute', { attributes: { [hostile]: 1 } }],
    ['a nested name', { attributes: { a: { [hostile]: [hostile] } } }],
    ['the service', { resource: { 'service.name': hostile } }],
    ['the scope', { scope: hostile, scopeVersion: hostile }],
    ['the event name', { eventName: hostile, body: undefined }],
  ])('has markup and control characters in %s as text', (_place, parts) => {
    const html = htmlOf([readRecord(parts)])
    const rest = html.slice(html.indexOf('<main>'))
    const tags = new Set(Array.from(rest.matchAll(/<\/?([a-z]+\d?)/gi), ([, name]) => name))
    const own = ['main', 'details', 'summary', 'time', 'b', 'i', 'bdi', 'h2', 'dl', 'dt', 'dd', 'body', 'html']
    expect([...tags].filter((tag) => !own.includes(tag!))).toEqual([])
    expect(rest).toContain('&#60;script&#62;alert(1)')
    for (const unsafe of ['\0', '\u001b', '\u202e', '<img']) expect(rest).not.toContain(unsafe)
  })

  it('has the number of records that are not in it', () => {
    expect(htmlOf([readRecord()], maxHtmlRecords + 1_234)).toContain('The 1,234 older records are not in this file.')
    expect(htmlOf([readRecord(), readRecord()], 5)).toContain('3 more records are not in this file')
    expect(htmlOf([readRecord()])).not.toContain('not in this file')
  })

  it('is bounded, and cuts long texts', () => {
    const long = readRecord({
      message: 'x'.repeat(30_000),
      body: 'x'.repeat(30_000),
      attributes: { a: 'y'.repeat(1_000_000) },
    })
    const html = htmlOf(Array.from({ length: 1_000 }, () => long))
    expect(html.length).toBeLessThan(21_000_000)
    expect(html).toMatch(/[\d,]+ more records are not in this file/)
  })

  it('has no secret that the presets redact, wherever it is', () => {
    const secret = 'hunter2secretvalue'
    const bearer = `Bearer ${secret}AAAAAAAAAAAAAAA`
    const redactor = new RecordRedactor(['credentials', 'jwt', 'card', 'email'])
    const all = [
      readRecord({ message: bearer, body: bearer }),
      readRecord({ level: bearer, severityText: bearer, scope: bearer, scopeVersion: bearer, eventName: bearer }),
      readRecord({
        attributes: { password: secret, a: { b: [bearer] }, [bearer]: 1 },
        resource: { 'service.name': bearer },
      }),
      readRecord({ message: undefined, body: new Map([['token', secret]]) }),
    ]
    expect(htmlOf(all)).toContain(secret)
    expect(htmlOf(all.map((each) => redactor.redact(each)))).not.toContain(secret)
  })
})
