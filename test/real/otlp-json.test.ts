import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { createLogger } from '../../src/create-logger.ts'
import { fileExporter } from '../../src/export/file.ts'
import type { RootLogger } from '../../src/logger/types.ts'
import { type Collector, collectorIsThere, startCollector } from '../support/collector.ts'
import { needs } from '../support/needs.ts'
import { decoderIsThere, startDecoder } from '../support/otlp-decoder.ts'
import type { OtlpMember, OtlpRecord } from '../support/otlp-records.ts'
import { temporaryDirectory } from '../support/pipes.ts'
import { valueCases } from './values.ts'

const testParts = needs('the Collector and the OTLP decoder (`npm run real-parts`)', collectorIsThere && decoderIsThere)
const directory = temporaryDirectory()
const resource = { 'service.name': 'shop', 'service.instance.id': 'one' }

/** Reads lines, and says which records they hold. */
type Reader = (lines: readonly string[]) => Promise<OtlpRecord[]>

let collector: Collector
const decoder = decoderIsThere ? startDecoder() : undefined

beforeAll(async () => {
  if (collectorIsThere) collector = await startCollector(directory.path(''))
})

afterAll(async () => {
  await decoder?.stop()
  directory.remove()
})

const throughDecoder: Reader = async (lines) => {
  const records = await Promise.all(lines.map((line) => decoder!.decode('json', line)))
  return records.flat()
}

/** A line is a whole request: it is posted as it stands. */
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

/** The lines that a logger writes to a file. */
async function linesOf(name: string, say: (log: RootLogger) => void): Promise<string[]> {
  const path = directory.path(name)
  const exporter = fileExporter({ path, format: 'otlpJson' })
  const log = createLogger({
    name: 'checkout',
    version: '1.2.3',
    resource,
    exporter,
    handleExit: false,
    clock: () => 7,
  })
  say(log)
  await log.shutdown()
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

describe.each([
  ['protobuf’s own JSON reader', throughDecoder],
  ['the Collector', throughCollector],
])('lines of the File Exporter, read by %s (FIL5)', (reader, read) => {
  testParts('FIL1 JS1 JS7 hold every field of a record, its scope and its resource', async () => {
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
    const said = Object.entries(resource).map(([key, value]): OtlpMember => ({ key, value: { stringValue: value } }))
    expect(record!.resource.attributes).toEqual(expect.arrayContaining(said))
  })

  testParts(`JS2 to JS9 keep each of ${valueCases.length} values that are hard to keep (row 29)`, async () => {
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

  testParts('JS8 keep keys that are names of the language, and tell of no key twice (row 31)', async () => {
    const attributes = JSON.parse('{"__proto__":1,"constructor":2,"toString":3,"severityNumber":4}') as object
    const lines = await linesOf(`keys-${reader}.jsonl`, (log) => log.info('keys', attributes))
    const [record] = await read(lines)
    expect(record!.attributes.map(({ key }) => key)).toEqual(['__proto__', 'constructor', 'toString', 'severityNumber'])
    expect(record!.severityNumber).toBe(9)
  })
})
