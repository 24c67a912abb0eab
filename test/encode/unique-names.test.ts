import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createLogger } from '../../src/create/create-logger.ts'
import { otlpEncoding } from '../../src/encode/otlp/otlp-request.ts'
import { UniqueNames } from '../../src/record/unique-names.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import type { EncodedBatch } from '../../src/pipeline/exporter.ts'
import { AcceptingExporter } from '../support/pipeline/exporters.ts'
import { capturingExporter, createTestLogger } from '../support/files/test-logger.ts'
import { decodeRequest } from '../support/otlp/messages.ts'

/** Keys, of which many are equal in UTF-8. */
const key = fc
  .array(fc.constantFrom('\ud800', '\udc00', '\udfff', '\ufffd', ' 2', 'a'), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''))
const { members } = fc.letrec<{ members: object; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('x', 1, true, null),
    tie('members'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  members: fc
    .tuple(fc.uniqueArray(fc.tuple(key, tie('value')), { maxLength: 6, selector: ([name]) => name }), fc.boolean())
    .map(([entries, isMap]) => (isMap ? new Map(entries) : Object.fromEntries(entries))),
}))

function requestIn(batch: EncodedBatch, protocol: 'http/json' | 'http/protobuf'): unknown {
  const bytes = Buffer.concat(otlpEncoding(protocol).request(batch.bytes(), batch.sources()))
  return protocol === 'http/json' ? JSON.parse(String(bytes)) : decodeRequest(bytes)
}

/** Returns the keys that occur twice in a list of members, anywhere in a request. */
function repeatedKeys(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(repeatedKeys)
  if (!Array.isArray(value)) return inner
  const keys = value.flatMap((item) => (typeof item === 'object' && item !== null && 'key' in item ? [item.key] : []))
  return [...inner, ...keys.filter((key, index) => keys.indexOf(key) !== index)]
}

describe.each(['http/json', 'http/protobuf'] as const)('unique keys in %s', (protocol) => {
  const collecting = () => {
    const exporter = new AcceptingExporter({ encoding: otlpEncoding(protocol), schedule: 'sync' })
    const requests: any[] = []
    exporter.onExport = (batch) => void requests.push(requestIn(batch, protocol))
    return { exporter, requests }
  }

  // Requirements: DM6, JS8
  test('keys that differ only in lone surrogates are numbered in order, and no value is lost', async () => {
    const { exporter, requests } = collecting()
    const provider = createLoggerProvider({ exporter })
    provider
      .getLogger('a')
      .emit({ body: { '\ud800': 1, '\udc00': 2 }, attributes: { '\ud800': 1, '\udc00': 2, '\ufffd 2': 3 } })
    await provider.shutdown()
    const [{ attributes, body }] = requests[0].resourceLogs[0].scopeLogs[0].logRecords
    const expected = [
      { key: '\ufffd', value: { intValue: '1' } },
      { key: '\ufffd 2', value: { intValue: '2' } },
    ]
    expect(attributes).toEqual([...expected, { key: '\ufffd 2 2', value: { intValue: '3' } }])
    expect(body.kvlistValue.values).toEqual(expected)
  })

  // Requirements: DM6, JS8
  test('no key occurs twice in records, scopes, resources and bound attributes, for any keys', async () => {
    await fc.assert(
      fc.asyncProperty(
        members,
        members,
        members,
        fc.boolean(),
        fc.boolean(),
        async (one, other, bound, isRedacted, isShared) => {
          const { exporter, requests } = collecting()
          const redact = isRedacted ? { redact: { patterns: [{ name: 'a', pattern: /a/ }] } } : {}
          const provider = createLoggerProvider({
            exporter,
            detectors: [{ detect: () => ({ attributes: asObject(bound) }) }],
            ...redact,
          })
          provider.getLogger('a', '1', { attributes: other }).emit({ body: other, attributes: one })
          await provider.shutdown()
          const logs = collecting()
          const exporters = isShared ? [new AcceptingExporter({ schedule: 'sync' }), logs.exporter] : logs.exporter
          const root = createLogger({ exporter: exporters, attributes: asObject(bound), ...redact })
          const log = root.child(asObject(other))
          log.info('m', asObject(one) as never)
          await root.shutdown()
          expect([requests.length, logs.requests.length]).toEqual([1, 1])
          expect([repeatedKeys(requests), repeatedKeys(logs.requests)]).toEqual([[], []])
          expect(requests[0].resourceLogs[0].scopeLogs[0].logRecords[0].attributes ?? []).toHaveLength(
            Object.keys(asObject(one)).length,
          )
        },
      ),
      { numRuns: 100 },
    )
  })
})

test.each([
  ['alone', []],
  ['next to JSON lines', [new AcceptingExporter({ schedule: 'sync' })]],
])(
  'an attribute of a call replaces only the bound attribute with its key in OTLP %s, and counts once for the limit',
  (_, others) => {
    const otlp = new AcceptingExporter({ encoding: otlpEncoding('http/json'), schedule: 'sync' })
    const log = createLogger({
      exporter: [...others, otlp],
      limits: { attributes: 3 },
      redact: { patterns: [{ name: 'digits', pattern: /\d/ }] },
      attributes: { '7\ud800': 'bound', '7\udfff': 'bound' },
    })
    log.info('m', { '7\udfff': 'own', a: 1, b: 2 })
    const { attributes, droppedAttributesCount } = JSON.parse(otlp.accepted[0]!.slice(0, -1))
    expect(attributes).toEqual([
      { key: '[REDACTED]\ufffd 2', value: { stringValue: 'bound' } },
      { key: '[REDACTED]\ufffd', value: { stringValue: 'own' } },
      { key: 'a', value: { intValue: '1' } },
    ])
    expect(droppedAttributesCount).toBe(1)
  },
)

test('the members of an error keep their key when the error is the exception and another key is renamed', () => {
  const { log, exporter } = createTestLogger({}, capturingExporter(otlpEncoding('http/json')))
  const error = Object.assign(new Error('failed'), { code: 'E' })
  log.error({ '\ud800': 1, err: error }, 'm')
  const keys = [
    ...exporter
      .bytes()
      .toString()
      .matchAll(/"key":"([^"]*)"/g),
  ].map(([, name]) => name)
  expect(keys).toContain('err')
  expect(keys).not.toContain('err 2')
})

test('equal names are numbered in their order', () => {
  const names = new UniqueNames()
  expect(['a', 'a', 'a 2', 'a', 'b'].map((name) => names.add(name))).toEqual(['a', 'a 2', 'a 2 2', 'a 3', 'b'])
})

test('renaming many equal keys takes linear time', async () => {
  // Searching for each number from the beginning would take 10^14 steps here.
  const entries = Array.from({ length: 50_000 }, (_, index) => {
    const key = Array.from({ length: 16 }, (_bit, bit) => ((index >> bit) & 1 ? '\ud800' : '\udc00')).join('')
    return [key, 1] as const
  })
  const exporter = new AcceptingExporter({ encoding: otlpEncoding('http/json'), schedule: 'sync' })
  const provider = createLoggerProvider({ exporter })
  for (const body of [Object.fromEntries(entries), new Map(entries)]) provider.getLogger('a').emit({ body })
  for (const text of exporter.accepted) {
    const keys = JSON.parse(text.slice(0, -1)).body.kvlistValue.values.map((one: any) => one.key)
    expect(new Set(keys).size).toBe(50_000)
  }
  await provider.shutdown()
})

function asObject(value: object): object {
  return value instanceof Map ? Object.fromEntries(value) : value
}
