import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { createLogger } from '../../src/create/create-logger.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { type Collector, hasCollector, startCollector } from '../support/otlp/collector.ts'
import { needs } from '../support/needs.ts'
import { hasDecoder, startDecoder } from '../support/otlp/decoder.ts'
import type { OtlpMember, OtlpRecord } from '../support/otlp/records.ts'
import { temporaryDirectory } from '../support/files/pipes.ts'
import { valueCases } from './values.ts'

const testParts = needs('the Collector and the OTLP decoder (`npm run real-parts`)', hasCollector && hasDecoder)
const directory = temporaryDirectory()
const resource = { 'service.name': 'shop', 'service.instance.id': 'one' }

/** Parses lines, and returns their records. */
type Reader = (lines: readonly string[]) => Promise<OtlpRecord[]>

let collector: Collector
const decoder = hasDecoder ? startDecoder() : undefined

beforeAll(async () => {
  if (hasCollector) collector = await startCollector(directory.path(''))
})

afterAll(async () => {
  await decoder?.stop()
  directory.remove()
})

const throughDecoder: Reader = async (lines) => {
  const records = await Promise.all(lines.map((line) => decoder!.decode('json', line)))
  return records.flat()
}

/** Posts each line unchanged, because it is a complete request. */
const throughCollector: Reader = async (lines) => {
  const before = collector.records().length
  for (const line of lines) {
    const response = await post(line)
    expect([response.status, await response.text()]).toEqual([200, '{"partialSuccess":{}}'])
  }
  return (await collector.atLeast(before + lines.length)).slice(before)
}

function post(line: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${collector.httpUrl}/v1/logs`, { method: 'POST', headers, body: line })
}

/** Returns the lines that a logger writes to a file. */
async function linesOf(name: string, write: (log: RootLogger) => void, time = 7): Promise<string[]> {
  const path = directory.path(name)
  const exporter = fileExporter({ path, format: 'otlpJson' })
  const log = createLogger({
    name: 'checkout',
    version: '1.2.3',
    resource,
    exporter,
    handleExit: false,
    clock: () => time,
  })
  write(log)
  await log.shutdown()
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

// Requirements: FIL5
describe.each([
  ['protobuf’s own JSON reader', throughDecoder],
  ['the Collector', throughCollector],
])('OTLP/JSON lines read by %s', (reader, read) => {
  // Requirements: FIL1, JS1, JS7
  testParts('an OTLP/JSON line contains every field of a record, its scope and its resource', async () => {
    const lines = await linesOf(`fields-${reader}.jsonl`, (log) =>
      log.child({ tenant: 'acme' }).warn('order {id} placed', { id: 42, note: 'fragile' }),
    )
    const [record, ...rest] = await read(lines)
    expect(rest).toEqual([])
    expect(record).toEqual({
      resource: { attributes: expect.anything(), droppedAttributesCount: 0, schemaUrl: '' },
      scope: { name: 'checkout', version: '1.2.3', attributes: [], droppedAttributesCount: 0, schemaUrl: '' },
      timeUnixNano: '7000000',
      observedTimeUnixNano: '7000000',
      severityNumber: 13,
      severityText: 'warn',
      body: { stringValue: 'order 42 placed' },
      attributes: [
        { key: 'tenant', value: { stringValue: 'acme' } },
        { key: 'id', value: { intValue: '42' } },
        { key: 'note', value: { stringValue: 'fragile' } },
      ],
      droppedAttributesCount: 0,
      flags: 0,
      traceId: '',
      spanId: '',
      eventName: '',
    })
    const expected = Object.entries(resource).map(([key, value]): OtlpMember => ({
      key,
      value: { stringValue: value },
    }))
    expect(record!.resource.attributes).toEqual(expect.arrayContaining(expected))
  })

  // Requirements: JS2, JS3, JS4, JS5, JS6, JS7, JS8, JS9
  // Fault rows: 29
  testParts(`OTLP/JSON lines preserve each of ${valueCases.length} difficult values`, async () => {
    const lines = await linesOf(`values-${reader}.jsonl`, (log) => {
      for (const { title, value } of valueCases) log.info(title, { value })
    })
    const records = await read(lines)
    const found = records.map(({ body, attributes }) => ({ body, attributes }))
    expect(found).toEqual(
      valueCases.map(({ title, expected }) => ({
        body: { stringValue: title },
        attributes: [{ key: 'value', value: expected }],
      })),
    )
  })

  // Requirements: JS8
  // Fault rows: 31
  testParts('an OTLP/JSON line keeps attributes named like built-in members, without duplicate keys', async () => {
    const attributes = JSON.parse('{"__proto__":1,"constructor":2,"toString":3,"severityNumber":4}') as object
    const lines = await linesOf(`keys-${reader}.jsonl`, (log) => log.info('keys', attributes))
    const [record] = await read(lines)
    expect(record!.attributes.map(({ key }) => key)).toEqual(['__proto__', 'constructor', 'toString', 'severityNumber'])
    expect(record!.severityNumber).toBe(9)
  })
})

/** A line with two records, the second of which has an attribute with this value. */
function lineWith(name: string, value: string): string {
  const record = (number: number, text: string) =>
    `{"body":{"stringValue":"${name} ${number}"},"attributes":[{"key":"value","value":${text}}]}`
  const logRecords = [record(1, '{"intValue":"1"}'), record(2, value)].join()
  return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${logRecords}]}]}]}`
}

// Requirements: FIL5
describe('invalid OTLP/JSON lines in the Collector', () => {
  // The receiver for files decodes each line with the same decoder as the receiver for requests, to which the lines are posted.
  testParts.each([
    ['null', '{"doubleValue":null}'],
    ['a bare NaN', '{"doubleValue":NaN}'],
    ['a bare Infinity', '{"doubleValue":-Infinity}'],
    ['a word', '{"doubleValue":"many"}'],
    ['a fraction as an integer', '{"intValue":"1.5"}'],
    ['base64 of another alphabet', '{"bytesValue":"-_8"}'],
  ])('the Collector rejects all records of a line with one value that is %s', async (title, value) => {
    const before = collector.records().length
    const response = await post(lineWith(title, value))
    expect(response.status).toBe(400)
    expect(await throughCollector([lineWith(`after ${title}`, '{"doubleValue":"NaN"}')])).toHaveLength(2)
    const found = collector.records().slice(before)
    expect(found.map(({ body }) => body)).toEqual([
      { stringValue: `after ${title} 1` },
      { stringValue: `after ${title} 2` },
    ])
  })
})

// Requirements: FIL5
testParts('the Collector can read the line of every logged value', async () => {
  const number = fc.oneof(
    fc.constantFrom(NaN, Infinity, -Infinity, -0, 1e21, 5e-324, Number.MAX_VALUE, 2 ** 63, -(2 ** 63), 2 ** 53 + 2),
    fc.double(),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  )
  const leaf = fc.oneof(
    number,
    fc.string({ unit: 'binary' }),
    fc.uint8Array({ maxLength: 8 }),
    fc.constantFrom(null, undefined, new Date(NaN), Symbol('s'), () => 1, new Error('\ud800')),
  )
  const value = fc.letrec((tie) => ({
    value: fc.oneof(leaf, fc.array(tie('value'), { maxLength: 3 }), fc.dictionary(fc.string(), tie('value'))),
  })).value
  const samples = fc.sample(value, { numRuns: 300, seed: 5 })
  const clocks = [NaN, Infinity, -Infinity, -1, 0.5, 1e300]
  const lines = await linesOf('hostile.jsonl', (log) => {
    for (const sample of samples) log.info('{value}', { value: sample })
    for (const sample of samples) log.child({ bound: sample }).info('bound')
  })
  for (const time of clocks) {
    lines.push(...(await linesOf(`clock ${time}.jsonl`, (log) => log.info('clock', { time }), time)))
  }
  const records = await throughCollector(lines)
  expect(records).toHaveLength(2 * samples.length + clocks.length)
  const doubles = lines.flatMap((line) =>
    [...line.matchAll(/"doubleValue":("[^"]*"|[^,}]*)/g)].map(([, text]) => text!),
  )
  const texts = doubles.filter((text) => !/^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(text))
  expect(new Set(texts)).toEqual(new Set(['"NaN"', '"Infinity"', '"-Infinity"']))
})
