import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { otlpJsonFileLine } from '../../../src/encode/otlp/otlp-json-file.ts'
import { readOtlpJsonLine, type FileLineContent } from '../../../src/encode/otlp/otlp-json-reader.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import type { InstrumentationSource } from '../../../src/record/instrumentation-source.ts'
import { memberDescriptions, nastyText } from '../../support/values/arbitraries.ts'
import { buildMembers } from '../../support/build.ts'
import { recordOf, records, rules, span } from '../../support/values/records.ts'

const encoding = otlpEncoding('http/json')
const encoder = encoderFor(encoding, rules)

/** Returns the line with these records, and the text of each record. */
function lineOf(all: readonly LogRecord[]): { readonly line: Buffer; readonly texts: readonly string[] } {
  const texts = all.map((record) => encoder.encode(record) as string)
  const bytes = Buffer.from(texts.join(''))
  const sources = all.map(({ bound }, index) => ({
    scope: bound.scope,
    resource: bound.resource,
    byteLength: Buffer.byteLength(texts[index]!),
  }))
  return { line: Buffer.concat(otlpJsonFileLine(bytes, sources)), texts }
}

const read = (line: Uint8Array): FileLineContent | undefined => readOtlpJsonLine(line.subarray(0, line.length - 1))
const readText = (text: string): FileLineContent | undefined => readOtlpJsonLine(Buffer.from(text))
const withRecord = (record: string): FileLineContent | undefined =>
  readText(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record},{"body":{"stringValue":"next"}}]}]}]}`)

/** Scope and resource without what a reader cannot distinguish: unset and empty texts. */
const sourceDetails = ({ scope, resource }: InstrumentationSource): unknown => ({
  scope: [scope.name || undefined, scope.version || undefined, scope.schemaUrl || undefined],
  scopeAttributes: [...(scope.attributes ?? [])],
  resource: [...resource.attributes],
  schemaUrl: resource.schemaUrl || undefined,
})

describe('reading of written lines', () => {
  test.each(records().map((record, index) => [index, record] as const))(
    'the record %i of the golden file is read unchanged',
    (_, record) => {
      const { line, texts } = lineOf([record])
      const found = read(line)!
      expect(found.damagedCount).toBe(0)
      expect(found.records.map(({ text }) => text)).toEqual(texts)
      expect(found.records.map(({ severity }) => severity)).toEqual([record.severity])
      expect(found.records.map(({ source }) => sourceDetails(source))).toEqual([sourceDetails(record.bound)])
    },
  )

  // Requirements: FIL1, FIL6
  test('a line is one request that begins with its records and ends with a newline', () => {
    const { line } = lineOf(records())
    expect(line.toString()).toMatch(/^\{"resourceLogs":\[\{"scopeLogs":\[\{"logRecords":\[\{"timeUnixNano":/)
    expect(line.indexOf(10)).toBe(line.length - 1)
    expect(Object.keys(JSON.parse(line.toString()) as object)).toEqual(['resourceLogs'])
  })

  test('any record is read with the same bytes', () => {
    const parts = fc.record({
      members: memberDescriptions,
      message: fc.option(nastyText, { nil: undefined }),
      level: nastyText,
      severity: fc.integer({ min: 0, max: 24 }),
      time: fc.oneof(fc.integer({ min: 0, max: 2 ** 44 }), fc.double({ min: 0, max: 2 ** 41, noNaN: true })),
      eventName: fc.option(nastyText, { nil: undefined }),
      traced: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(parts, { minLength: 1, maxLength: 4 }), (all) => {
        const { line, texts } = lineOf(
          all.map(({ members, message, level, severity, time, eventName, traced }) =>
            recordOf({
              attributes: buildMembers(members),
              body: message,
              level,
              severity,
              time,
              eventName: eventName === '' ? undefined : eventName,
              span: traced ? span : undefined,
            }),
          ),
        )
        const found = read(line)!
        expect(found.damagedCount).toBe(0)
        expect(found.records.map(({ text }) => text)).toEqual(texts)
      }),
      { numRuns: 300 },
    )
  })
})

describe('damaged records', () => {
  test.each([
    ['a number in place of an object', '7'],
    ['a list', '[]'],
    ['a text as attributes', '{"attributes":"a"}'],
    ['an attribute without an object as value', '{"attributes":[{"key":"a","value":7}]}'],
    ['a key that is a number', '{"attributes":[{"key":7}]}'],
    ['an int that is not an integer', '{"body":{"intValue":"1.5"}}'],
    ['an int of more than 64 bits', '{"body":{"intValue":"9223372036854775808"}}'],
    ['bytes that are not base64', '{"body":{"bytesValue":"a"}}'],
    ['a double that is not a number', '{"body":{"doubleValue":"many"}}'],
    ['a double that is out of range', '{"body":{"doubleValue":1e999}}'],
    ['a trace id of the wrong length', '{"traceId":"abc"}'],
    ['a trace id that closes its string', '{"traceId":"0af7651916cd43dd8448eb211c80319\\""}'],
    ['a span id that is not hexadecimal', '{"spanId":"zzzzzzzzzzzzzzzz"}'],
    ['a severity over the maximum', '{"severityNumber":25}'],
    ['a negative time', '{"timeUnixNano":"-1"}'],
    ['flags of more than 32 bits', '{"flags":4294967296}'],
    ['a null byte in a time', '{"timeUnixNano":"1\\u0000"}'],
    ['a value deeper than any stack', `{"body":${'{"arrayValue":{"values":['.repeat(35_000)}${']}}'.repeat(35_000)}}`],
  ])('a damaged record is counted and the next one is read: %s', (_, record) => {
    const found = withRecord(record)
    expect(found?.damagedCount).toBe(1)
    expect(found?.records.map(({ text }) => text)).toEqual(['{"body":{"stringValue":"next"}},'])
  })
})

describe('invalid lines', () => {
  test.each([
    ['an empty text', ''],
    ['incomplete JSON', '{"resourceLogs":['],
    ['another object', '{}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a raw NUL', '{"resourceLogs":[\u0000]}'],
    ['a text as resourceLogs', '{"resourceLogs":"all"}'],
    ['a number as resource', '{"resourceLogs":[{"resource":1}]}'],
    ['brackets that are not closed', '['.repeat(1_000_000)],
    ['a resourceLogs that only the prototype has', '{"__proto__":{"resourceLogs":[]}}'],
  ])('a line that is no valid request is not read: %s', (_, text) => {
    expect(readText(text)).toBeUndefined()
  })

  test('a line that is not UTF-8 is not read', () => {
    const { line } = lineOf([recordOf({ body: 'é' })])
    const at = line.indexOf(0xc3)
    line[at + 1] = 0x20
    expect(read(line)).toBeUndefined()
  })
})

describe('special names of JavaScript', () => {
  test('names such as __proto__ are ordinary keys and do not change a prototype', () => {
    const value = '{"kvlistValue":{"values":[{"key":"__proto__","value":{"stringValue":"x"}}]}}'
    const found = readText(
      `{"resourceLogs":[{"resource":{"attributes":[{"key":"__proto__","value":${value}}]},"scopeLogs":[{"logRecords":[` +
        `{"__proto__":{"body":{"stringValue":"inherited"}},"constructor":{"prototype":{"polluted":true}},` +
        `"attributes":[{"key":"__proto__","value":${value}}]}]}]}]}`,
    )!
    expect(found.records[0]!.text).toBe(`{"attributes":[{"key":"__proto__","value":${value}}]},`)
    expect([...found.records[0]!.source.resource.attributes.keys()]).toEqual(['__proto__'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('fields are not read from a polluted prototype', () => {
    const prototype = Object.getPrototypeOf({}) as object
    Object.defineProperty(prototype, 'eventName', { value: 'polluted', configurable: true })
    try {
      expect(withRecord('{"body":{}}')!.records[0]!.text).toBe('{"body":{}},')
    } finally {
      Reflect.deleteProperty(prototype, 'eventName')
    }
  })
})

// Requirements: FIL4, FIL5
test('unknown fields are omitted, and other JSON forms of protobuf are accepted', () => {
  const found = withRecord(
    '{"unknown":[1],"traceId":"","body":null,"timeUnixNano":7,"attributes":[{"key":"n","value":{"intValue":-5}},{"key":"e"}]}',
  )!
  expect(found.records[0]!.text).toBe(
    '{"timeUnixNano":"7","attributes":[{"key":"n","value":{"intValue":"-5"}},{"key":"e","value":{}}]},',
  )
})

test('reading any bytes does not throw, and the result is JSON', () => {
  const { line } = lineOf(records())
  const change = fc.record({ at: fc.nat(line.length - 1), bytes: fc.uint8Array({ maxLength: 6 }), cut: fc.nat(40) })
  const damagedLines = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) =>
    changes.reduce((bytes, { at, bytes: more, cut }) => {
      return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + cut)])
    }, line),
  )
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), damagedLines, fc.json().map(Buffer.from)), (bytes) => {
      const found = readOtlpJsonLine(bytes)
      for (const { text } of found?.records ?? []) {
        expect(text.endsWith('},')).toBe(true)
        JSON.parse(text.slice(0, -1))
      }
    }),
    { numRuns: 500 },
  )
})
