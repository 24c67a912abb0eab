import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createLogger } from '../../../src/create/create-logger.ts'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { resolveRecord } from '../../../src/encode/walk/resolve.ts'
import { fileExporter } from '../../../src/exporters/file/file-exporter.ts'
import { plainDevice } from '../../../src/platform/node/terminal.ts'
import { lineEncoding } from '../../../src/exporters/line-exporter-options.ts'
import type { AnyValue } from '../../../src/record/any-value.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import { emptyScopeDetails } from '../../../src/record/instrumentation-source.ts'
import { memberDescriptions } from '../../support/values/arbitraries.ts'
import { buildMembers } from '../../support/build.ts'
import { golden } from '../../support/values/golden.ts'
import { capturingExporter, createTestLogger } from '../../support/files/test-logger.ts'
import { recordOf, rules } from '../../support/values/records.ts'

/** The fields of an OTLP/JSON record that the tests read. */
interface OtlpRecord {
  readonly timeUnixNano?: string
  readonly observedTimeUnixNano?: string
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: object
  readonly attributes?: readonly { readonly key: string; readonly value: object }[]
  readonly droppedAttributesCount?: number
  readonly flags?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

interface OtlpLine {
  readonly resourceLogs: readonly [
    {
      readonly resource: { readonly attributes?: OtlpRecord['attributes'] }
      readonly scopeLogs: readonly [{ readonly scope: object; readonly logRecords: readonly [OtlpRecord] }]
    },
  ]
}

const encoder = encoderFor(otlpJsonLines(), rules)
const lineOf = (record: LogRecord): string => encoder.encode(record) as string
const parsed = (line: string): OtlpRecord => (JSON.parse(line) as OtlpLine).resourceLogs[0].scopeLogs[0].logRecords[0]
const otlpOf = (parts: Partial<LogRecord>, bound: Partial<LogRecord['bound']> = {}): OtlpRecord =>
  parsed(lineOf(recordOf(parts, bound)))
const valueOf = (value: unknown): object | undefined => otlpOf({ attributes: { value } }).attributes?.[0]?.value

const times = (parts: Partial<LogRecord>): (string | undefined)[] => {
  const { timeUnixNano, observedTimeUnixNano } = otlpOf({ body: 'm', ...parts })
  return [timeUnixNano, observedTimeUnixNano]
}

/** Encodes a value as the table of the OTLP/JSON specification defines (JS3 to JS6). */
function reference(value: AnyValue): object {
  if (value === null) return {}
  if (typeof value === 'string') return { stringValue: value.toWellFormed() }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'bigint') {
    const fits = value >= -(2n ** 63n) && value < 2n ** 63n
    return fits ? { intValue: String(value) } : { stringValue: String(value) }
  }
  if (typeof value === 'number') {
    if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) return { intValue: String(BigInt(value)) }
    return { doubleValue: Number.isFinite(value) ? value : String(value) }
  }
  if (value instanceof Uint8Array) return { bytesValue: Buffer.from(value).toString('base64') }
  if (Array.isArray(value)) return { arrayValue: { values: value.map((item) => reference(item as AnyValue)) } }
  return { kvlistValue: { values: keyValues(value as ReadonlyMap<string, AnyValue>) } }
}

/** Returns keys as OTLP can encode them: of equal keys, each but the first has a number. */
function namesOf(keys: readonly string[]): string[] {
  const names: string[] = []
  for (const key of keys) {
    const name = key.toWellFormed()
    let free = name
    for (let number = 2; names.includes(free); number++) free = `${name} ${number}`
    names.push(free)
  }
  return names
}

const keyValues = (map: ReadonlyMap<string, AnyValue>): { key: string; value: object }[] =>
  namesOf([...map.keys()]).map((key, index) => ({ key, value: reference([...map.values()][index]!) }))

/**
 * Returns members whose keys contain U+FFFD without the numbers at their ends. The encoder numbers keys in the order of an object, and
 * so counts members that it omits; `resolveRecord` does not return these.
 */
function withoutNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    key === 'key' && typeof member === 'string' ? member.replace(/(?<=\ufffd.*) \d+$/, '') : member,
  ) as unknown
}

describe('lines of the OpenTelemetry File Exporter', () => {
  // Requirements: FIL1, FIL4, FIL7, JS1, JS7, DM1, DM2, DM3, DM4, DM5, DM6, DM7, DM8, DM9, DM10, DM11, DM12
  test('a line is one request with one record in OTLP/JSON names and forms', () => {
    const full = recordOf(
      {
        time: 1_795_254_963_123.4,
        body: 'order {id} placed',
        attributes: { id: 42, total: 12.5, paid: true, tags: ['a', null], address: { zip: '1' } },
        droppedAttributes: 2,
        span: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 },
        eventName: 'order.placed',
      },
      {
        scope: { ...emptyScopeDetails, name: 'checkout', version: '1.2.3', schemaUrl: 'https://example.com/scope' },
        resource: {
          attributes: new Map<string, AnyValue>([
            ['service.name', 'shop'],
            ['process.pid', 7],
          ]),
          serviceName: 'shop',
          schemaUrl: 'https://example.com/resource',
        },
        attributes: new Map<string, AnyValue>([
          ['tenant', 'acme'],
          ['id', 'not this one'],
        ]),
      },
    )
    const text = lineOf(full) + lineOf(recordOf({ body: 'alone' }))
    expect(text).toBe(golden('otlp.jsonl', text))
  })

  // Requirements: FIL6
  test('a line begins with the record, which precedes scope and resource, so that different files differ early', () => {
    const line = lineOf(recordOf({ body: 'm' }))
    expect(line.indexOf('timeUnixNano')).toBeLessThan(60)
    expect(line.indexOf('"scope"')).toBeGreaterThan(line.indexOf('"body"'))
    expect(line.indexOf('"resource"')).toBeGreaterThan(line.indexOf('"scope"'))
  })

  // Requirements: JS2, JS12, DM1, DM2
  test('times are strings of nanoseconds with microsecond precision, or exact if known', () => {
    expect(times({ time: 1_795_254_963_123 })).toEqual(['1795254963123000000', '1795254963123000000'])
    expect(times({ time: 1_795_254_963_123.4 })).toEqual(['1795254963123400000', '1795254963123400000'])
    expect(times({ time: 1_795_254_963_124 - 2 ** -12 })).toEqual(['1795254963124000000', '1795254963124000000'])
    expect(times({ time: 1_795_254_963_123, exactTimes: { nanos: 1, observedNanos: undefined } })[0]).toBe(
      '1795254963123000001',
    )
    expect(times({ time: 5, exactTimes: { nanos: undefined, observedNanos: '9' } })).toEqual(['5000000', '9'])
    expect(times({ time: 0, exactTimes: { nanos: 7, observedNanos: undefined } })[0]).toBe('7')
    expect(times({ time: 0 })).toEqual([undefined, undefined])
    expect(times({ time: -1 })).toEqual([undefined, undefined])
    expect(times({ time: 0, exactTimes: { nanos: undefined, observedNanos: '9' } })).toEqual([undefined, '9'])
  })

  // Requirements: JS7, DM3
  test('unset fields are omitted', () => {
    expect(Object.keys(otlpOf({})).toSorted()).toEqual([
      'observedTimeUnixNano',
      'severityNumber',
      'severityText',
      'timeUnixNano',
    ])
    expect(otlpOf({ severity: 0, level: '' })).not.toHaveProperty('severityNumber')
  })
})

describe('attribute values in OTLP/JSON', () => {
  // Requirements: JS3, JS4, JS5, JS6, JS7, JS8, JS9
  test('any value is encoded as the specification defines', () => {
    fc.assert(
      fc.property(memberDescriptions, (members) => {
        const { attributes } = otlpOf({ body: 'm', attributes: buildMembers(members) })
        const data = resolveRecord(recordOf({ body: 'm', attributes: buildMembers(members) }), rules)
        const expected = keyValues(data.attributes as ReadonlyMap<string, AnyValue>)
        expect(withoutNumbers(attributes ?? [])).toEqual(withoutNumbers(expected))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a key that equals an omitted one in UTF-8 has a number', () => {
    const members = { 'a\ud800': undefined, 'a\udc00': 1 }
    expect(otlpOf({ attributes: members }).attributes).toEqual([{ key: 'a\ufffd 2', value: { intValue: '1' } }])
  })

  test.each<[string, unknown, object]>([
    // Requirements: JS5, D2
    ['NaN', NaN, { doubleValue: 'NaN' }],
    // Requirements: JS5, D2
    ['infinity', -Infinity, { doubleValue: '-Infinity' }],
    // Requirements: JS6
    ['2^53', 2 ** 53, { intValue: '9007199254740992' }],
    // Requirements: JS6, D3
    ['2^62', 2 ** 62, { intValue: '4611686018427387904' }],
    // Requirements: JS6, D3
    ['2^63', 2 ** 63, { doubleValue: 2 ** 63 }],
    // Requirements: JS6, D3
    ['-2^63', -(2 ** 63), { intValue: '-9223372036854775808' }],
    // Requirements: JS6, D3
    ['1e21', 1e21, { doubleValue: 1e21 }],
    // Requirements: JS6
    ['-0', -0, { intValue: '0' }],
    // Requirements: JS6, D3
    ['a 64-bit BigInt', 2n ** 63n - 1n, { intValue: '9223372036854775807' }],
    // Requirements: JS6, D3
    ['a larger BigInt', 2n ** 63n, { stringValue: '9223372036854775808' }],
    // Requirements: JS9
    ['null', null, {}],
    // Requirements: JS9
    ['an empty string', '', { stringValue: '' }],
    // Requirements: JS9
    ['an empty array', [], { arrayValue: { values: [] } }],
    ['an empty object', {}, { kvlistValue: { values: [] } }],
    // Requirements: JS3
    ['holes, and undefined', [1, , undefined], { arrayValue: { values: [{ intValue: '1' }, {}, {}] } }], // oxlint-disable-line no-sparse-arrays
    // Requirements: JS4
    ['bytes', Uint8Array.of(251, 255, 1, 2), { bytesValue: '+/8BAg==' }],
    // Requirements: JS11
    ['half a surrogate pair', 'a\ud800', { stringValue: 'a\ufffd' }],
    ['a Date', new Date(0), { stringValue: '1970-01-01T00:00:00.000Z' }],
    [
      'a Map',
      new Map([['__proto__', 1]]),
      { kvlistValue: { values: [{ key: '__proto__', value: { intValue: '1' } }] } },
    ],
    ['a string with quotes', '"\\\n', { stringValue: '"\\\n' }],
  ])('the value is encoded as OTLP/JSON defines: %s', (_, value, expected) => {
    expect(valueOf(value)).toEqual(expected)
  })

  // Requirements: JS8, D24
  // Fault rows: 31
  test('any key is encoded as an own key', () => {
    const attributes = JSON.parse('{"__proto__":1,"constructor":"c","toString":{"__proto__":"d"}}') as object
    expect(otlpOf({ attributes }).attributes).toEqual([
      { key: '__proto__', value: { intValue: '1' } },
      { key: 'constructor', value: { stringValue: 'c' } },
      { key: 'toString', value: { kvlistValue: { values: [{ key: '__proto__', value: { stringValue: 'd' } }] } } },
    ])
  })

  // Requirements: ERR4, D4, D5
  test('a value that is cyclic or throws does not affect other values', () => {
    const hostile: Record<string, unknown> = { a: 1 }
    hostile['self'] = hostile
    Object.defineProperty(hostile, 'bad', {
      enumerable: true,
      get() {
        throw new Error('mine')
      },
    })
    expect(otlpOf({ attributes: hostile }).attributes).toEqual([
      { key: 'a', value: { intValue: '1' } },
      { key: 'self', value: { stringValue: '[Circular]' } },
      { key: 'bad', value: { stringValue: '[Threw: mine]' } },
    ])
  })
})

describe('bodies in OTLP/JSON', () => {
  // Requirements: DM5
  test('a body that is not a string keeps its type', () => {
    expect(otlpOf({ body: 42 }).body).toEqual({ intValue: '42' })
    expect(otlpOf({ body: { a: [true] } }).body).toEqual({
      kvlistValue: { values: [{ key: 'a', value: { arrayValue: { values: [{ boolValue: true }] } } }] },
    })
    expect(otlpOf({ body: 42 }, { messagePrefix: '> ' }).body).toEqual({ stringValue: '> 42' })
  })

  test('values in a message have the same text as in other formats', () => {
    const bodies: Partial<LogRecord>[] = [
      { body: '{a} {b:json} {c}', attributes: { a: 5n, b: { x: NaN, y: 7n }, c: [1, 'two'] } },
      { body: '%s took %d ms', printfArguments: ['job', 3n] },
      { body: 'user {user}', attributes: { user: { name: 'Ada' } } },
    ]
    for (const parts of bodies) {
      const { body } = resolveRecord(recordOf(parts), rules)
      expect(otlpOf(parts).body).toEqual({ stringValue: body })
    }
  })
})

test('a logger writes OTLP/JSON lines with its attributes, span and exception', () => {
  const { log, exporter } = createTestLogger(
    { name: 'shop', attributes: { tenant: 'acme' }, clock: () => 1 },
    capturingExporter(otlpJsonLines()),
  )
  log.child({ request: 7 }).error('failed {tenant}', { tenant: 'other', err: new TypeError('no stock') })
  const { body, severityNumber, severityText, attributes = [] } = parsed(exporter.text())
  expect({ body, severityNumber, severityText }).toEqual({
    body: { stringValue: 'failed other' },
    severityNumber: 17,
    severityText: 'error',
  })
  expect(attributes.map(({ key }) => key)).toEqual([
    'request',
    'tenant',
    'exception.type',
    'exception.message',
    'exception.stacktrace',
  ])
})

// Requirements: FIL6
// Fault rows: 28
test('a record over recordBytes is truncated in its largest values, and its line is a valid request', () => {
  const { log, exporter } = createTestLogger({ limits: { recordBytes: 4_096 } }, capturingExporter(otlpJsonLines()))
  log.info('m', { small: 'kept', large: '"'.repeat(10_000), larger: { deep: 'x'.repeat(20_000) } })
  log.info('n'.repeat(10_000), Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, 'v'.repeat(100)])))
  for (const line of exporter.lines()) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4_096)
  const [first] = exporter.lines().map(parsed)
  expect(first!.attributes).toContainEqual({ key: 'small', value: { stringValue: 'kept' } })
  expect(JSON.stringify(first)).toMatch(/\[\+\d+ characters\]/)
})

test('a record that is truncated is read once, and a body that is not a string is truncated too', () => {
  const { log, exporter } = createTestLogger({ limits: { recordBytes: 4_096 } }, capturingExporter(otlpJsonLines()))
  let reads = 0
  const read = () => 'x'.repeat(5_000) + ++reads
  log.info('m', Object.defineProperty({}, 'value', { enumerable: true, get: read }))
  log.info({ toJSON: () => ['y'.repeat(5_000) + ++reads] })
  log.info(['z'.repeat(5_000)])
  expect(reads).toBe(2)
  expect(exporter.lines().map((line) => Buffer.byteLength(line) <= 4_096)).toEqual([true, true, true])
  expect(parsed(exporter.lines()[2]!).body).toEqual({ stringValue: expect.stringMatching(/^\[Cut: \d+ bytes\]$/) })
})

test('a custom level has the severity number of its own logger, even if another logger has a level with that name', () => {
  const numbers = ([10, 11, 12] as const).map((notice) => {
    const { log, exporter } = createTestLogger({ levels: { notice } }, capturingExporter(otlpJsonLines()))
    log.notice('said by {who}', { who: 'Ada' })
    return parsed(exporter.text()).severityNumber
  })
  expect(numbers).toEqual([10, 11, 12])
})

test('redacted values are in no OTLP/JSON line', () => {
  const { log, exporter } = createTestLogger({ redact: ['password', 'user.token'] }, capturingExporter(otlpJsonLines()))
  log.info('{password}', { password: 'canary', user: { token: 'canary', name: 'Ada' } })
  expect(exporter.text()).not.toContain('canary')
  expect(exporter.text()).toContain('[REDACTED]')
})

// Requirements: FIL2
test('fileExporter writes this format with the option format, and SLUICE_FORMAT selects it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-'))
  const path = join(folder, 'out.jsonl')
  const log = createLogger({ exporter: fileExporter({ path, format: 'otlpJson' }), handleExit: false })
  for (let seq = 0; seq < 100; seq++) log.info('m', { seq })
  await log.shutdown()
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  expect(lines.map((line) => parsed(line).attributes)).toEqual(
    Array.from({ length: 100 }, (_, seq) => [{ key: 'seq', value: { intValue: String(seq) } }]),
  )
  rmSync(folder, { recursive: true })
  expect(lineEncoding({}, plainDevice(), { SLUICE_FORMAT: 'otlpjson' }).key).toBe('otlpJson')
})
