import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { readSluiceLine } from '../../../src/read/formats/sluice-line.ts'
import type { FormatName, ReadRecord } from '../../../src/read/record.ts'
import { standardLevels } from '../../../src/record/severity.ts'
import { keys, nastyText } from '../../support/values/arbitraries.ts'
import { plainValue, readLine } from './read-line.ts'

/** Names of members that have a meaning in one of the formats. */
const names = fc.constantFrom(
  'timestamp',
  'level',
  'message',
  'severity_number',
  'severity_text',
  'body',
  'attributes',
  'resource',
  'time',
  'msg',
  'pid',
  'hostname',
  'name',
  'v',
  'err',
  'error',
  'stack',
  '_meta',
  '_logMeta',
  '0',
  '1',
  '@timestamp',
  'logger',
  'category',
  'properties',
  'log',
  'log.level',
  'ecs',
  'ecs.version',
  'trace',
  'trace.id',
  'severity',
  'jsonPayload',
  'textPayload',
  'status',
  'dd',
  'dd.trace_id',
  'trace_id',
  'span_id',
  'trace_flags',
  'metadata',
  '@fields',
  'resourceLogs',
  'scopeLogs',
  'logRecords',
  'cause',
  'date',
  'logLevelId',
  'nanos',
  'seconds',
  'timeUnixNano',
  'severityNumber',
  'stringValue',
  'arrayValue',
  'kvlistValue',
  'values',
  'key',
  'value',
)

const members = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    nastyText,
    fc.constantFrom(
      'info',
      'ERROR',
      '2026-11-21T09:56:03.123Z',
      '0af7651916cd43dd8448eb211c80319c',
      'b7ad6b7169203331',
    ),
    fc.constantFrom(0, 3, 30, 9, 1_795_254_963_123, 1e300, null, true, '', '01', '1795254963123000000'),
    fc.double(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  // `fromEntries` defines members, so `__proto__` becomes an ordinary one.
  object: fc
    .uniqueArray(fc.tuple(fc.oneof({ weight: 5, arbitrary: names }, keys), tie('value')), {
      selector: ([key]) => key,
      maxLength: 7,
    })
    .map((entries): object => Object.fromEntries(entries)),
}))

const inputs = fc.constantFrom<FormatName | undefined>(
  undefined,
  'sluice',
  'otel',
  'otlp',
  'pino',
  'bunyan',
  'winston',
  'tslog',
  'logtape',
  'ecs',
  'gcp',
  'datadog',
  'json',
  'logfmt',
  'text',
)

/** Checks and reads everything that a record has, which throws if a getter throws. */
function expectReadable(record: ReadRecord): void {
  const { severityNumber, level, traceId, spanId, time, timeUnixNano } = record
  expect(typeof level).toBe('string')
  expect(severityNumber).toBeGreaterThanOrEqual(0)
  expect(severityNumber).toBeLessThanOrEqual(24)
  expect(traceId ?? 'a'.repeat(32)).toMatch(/^[0-9a-f]{32}$/)
  expect(spanId ?? 'a'.repeat(16)).toMatch(/^[0-9a-f]{16}$/)
  expect(timeUnixNano === undefined).toBe(time === undefined)
  expect(Math.abs(Number((timeUnixNano ?? 0n) / 1_000n) - (time ?? 0) * 1_000)).toBeLessThanOrEqual(3)
  plainValue(record.attributes)
  plainValue(record.resource)
  plainValue(record.body)
}

describe('readJsonRecords', () => {
  test('reads each JSON object as records or as text, in any format, and never throws', () => {
    fc.assert(
      fc.property(members.object, inputs, (object, input) => {
        const read = readLine(JSON.stringify(object), { input })
        expect([undefined, 'object']).toContain(read && typeof read)
        for (const record of [read ?? []].flat()) expectReadable(record)
      }),
      { numRuns: 500 },
    )
  })

  test('reads each prefix of a line as text', () => {
    fc.assert(
      fc.property(members.object, fc.nat(), (object, length) => {
        const line = JSON.stringify({ timestamp: '2026-11-21T09:56:03.123Z', level: 'info', message: 'm', ...object })
        expect(readLine(line.slice(0, length % line.length))).toBeUndefined()
      }),
    )
  })
})

/** Returns all properties of a record, those that are read later included. */
function everything(read: unknown): unknown {
  if (read === undefined) return undefined
  const { origin: _origin, raw: _raw, ...record } = read as ReadRecord
  const { timeUnixNano, body, attributes, resource } = read as ReadRecord
  const {
    parts: _parts,
    cachedAttributes: _attributes,
    cachedResource: _resource,
    ...own
  } = record as object & {
    parts?: unknown
    cachedAttributes?: unknown
    cachedResource?: unknown
  }
  return { ...own, timeUnixNano, body, attributes, resource }
}

/** Usually a value that the fast reader reads, otherwise one that it does not. */
const usually = <T>(usual: fc.Arbitrary<T> | T, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 20, arbitrary: usual instanceof fc.Arbitrary ? usual : fc.constant(usual) },
    { weight: 1, arbitrary: other },
  )

describe('the fast reader of the layout sluice', () => {
  const context = { origin: { file: '-', line: 1, container: undefined, stream: undefined }, raw: new Uint8Array() }
  const plainText = fc.string({ maxLength: 12 }).filter((text) => JSON.stringify(text) === `"${text}"`)
  const lines = fc
    .record(
      {
        timestamp: usually('2026-11-21T09:56:03.123Z', fc.constantFrom('2026-11-21T09:56:03Z', 'no', '')),
        level: usually(fc.constantFrom(...standardLevels), fc.oneof(fc.constantFrom('notice', 'own', ''), nastyText)),
        severity_number: usually(fc.constantFrom(1, 9, 24), fc.constantFrom(0, 25, 1.5)),
        message: usually(plainText, nastyText),
        span: fc.record({
          trace_id: usually(
            '0af7651916cd43dd8448eb211c80319c',
            fc.constantFrom('0AF7651916CD43DD8448EB211C80319C', '0'.repeat(32)),
          ),
          span_id: usually('b7ad6b7169203331', fc.constant('0'.repeat(16))),
          trace_flags: usually('01', fc.constantFrom('00', 'ff', 'no')),
        }),
        'otel.scope.name': usually(fc.constantFrom('checkout', 'ü'), fc.oneof(fc.constant(''), nastyText)),
        'otel.scope.version': usually('1', fc.constantFrom('"', '\n')),
        'otel.event.name': usually('order.placed', fc.constant('')),
        'service.name': usually('shop', fc.constantFrom('\n', '')),
        'otel.dropped_attributes_count': usually(fc.constantFrom(1, 12), fc.constantFrom(-1, 1e21)),
        attributes: usually(members.object, fc.constantFrom(null, 'text', [])),
      },
      { requiredKeys: ['timestamp', 'level'] },
    )
    .map(({ timestamp, level, severity_number, message, span, ...others }) =>
      Object.assign({ timestamp, level, severity_number, message }, span, others),
    )

  test('reads the same as the reader of all JSON lines', () => {
    let readFast = 0
    fc.assert(
      fc.property(lines, (line) => {
        const text = JSON.stringify(line)
        // A space is JSON, but not the form that the fast reader reads.
        expect(everything(readLine(text))).toEqual(everything(readLine(`${text.slice(0, -1)} }`)))
        if (readSluiceLine(text, context) !== undefined) readFast++
      }),
      { numRuns: 500 },
    )
    expect(readFast).toBeGreaterThan(100)
  })

  test('reads no line that is not JSON', () => {
    const characters = fc.constantFrom('"', '\\', '\n', '\u0000', '{', '}', ',', '0', 'x', '')
    fc.assert(
      fc.property(lines, fc.nat(), characters, fc.boolean(), (line, place, character, replaces) => {
        const text = JSON.stringify(line)
        const at = place % text.length
        const damaged = text.slice(0, at) + character + text.slice(replaces ? at + 1 : at)
        if (readLine(damaged) === undefined) return
        expect(everything(readLine(damaged))).toEqual(everything(readLine(` ${damaged}`)))
        expect(() => JSON.parse(damaged) as unknown).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })
})
