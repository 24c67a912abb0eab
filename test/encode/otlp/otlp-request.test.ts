import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { encoderFor } from '../../../src/encode/encoding.ts'
import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { recordSize } from '../../../src/encode/otlp/otlp-size.ts'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { BatchBuffer, RecordOwner } from '../../../src/pipeline/batch-buffer.ts'
import { Counters } from '../../../src/pipeline/counters.ts'
import type { LogRecord } from '../../../src/record/record.ts'
import { emptyScopeDetails, type InstrumentationSource } from '../../../src/record/instrumentation-source.ts'
import type { Rules } from '../../../src/values/record-rules.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'
import { descriptions, memberDescriptions } from '../../support/values/arbitraries.ts'
import { build, buildMembers } from '../../support/build.ts'
import { decodeRequest, type OtlpJson } from '../../support/otlp/messages.ts'
import { recordOf, records, rules, span } from '../../support/values/records.ts'

const protocols = ['http/protobuf', 'http/json'] as const
type Protocol = (typeof protocols)[number]

/** Returns the request for a batch of these records, and the number of bytes of each record in it. */
function requestOf(
  protocol: Protocol,
  all: readonly LogRecord[],
  own: Rules = rules,
): { bytes: Buffer; each: number[] } {
  const encoding = otlpEncoding(protocol)
  const encoder = encoderFor(encoding, own)
  const texts = all.map((record) => encoder.encode(record) as string)
  const chunk = new BatchBuffer(1, byteBuffers(encoding.binary === true ? 'latin1' : 'utf8'))
  all.forEach(({ severity, bound }, index) =>
    chunk.add(texts[index]!, severity, new RecordOwner(new Counters(), bound)),
  )
  chunk.close()
  const ends = all.map((_, index) => chunk.offsetOf(index + 1))
  const each = ends.map((end, index) => end - (ends[index - 1] ?? 0))
  return { bytes: Buffer.concat(encoding.request(chunk.bytes(), chunk.sources())), each }
}

function read(protocol: Protocol, bytes: Buffer): OtlpJson {
  return protocol === 'http/json' ? (JSON.parse(bytes.toString()) as OtlpJson) : decodeRequest(bytes)
}

/** Returns what the File Exporter writes for each record. */
function linesOf(all: readonly LogRecord[]): OtlpJson[] {
  const encoder = encoderFor(otlpJsonLines(), rules)
  return all.map((record) => JSON.parse(encoder.encode(record) as string) as OtlpJson)
}

interface Envelope {
  readonly resourceLogs: readonly {
    readonly resource: object
    readonly schemaUrl?: string
    readonly scopeLogs: readonly {
      readonly scope: object
      readonly schemaUrl?: string
      readonly logRecords: readonly OtlpJson[]
    }[]
  }[]
}

/** Each record with its scope and resource, independent of the grouping. */
function flattened(request: OtlpJson): object[] {
  return (request as unknown as Envelope).resourceLogs.flatMap(({ resource, schemaUrl, scopeLogs }) =>
    scopeLogs.flatMap(({ scope, schemaUrl: scopeSchema, logRecords }) =>
      logRecords.map((record) => ({ resource, schemaUrl, scope, scopeSchema, record })),
    ),
  )
}

const source = (
  name: string,
  parts: Partial<InstrumentationSource['scope']> = {},
  resource: Partial<InstrumentationSource['resource']> = {},
) => ({
  scope: { ...emptyScopeDetails, name, version: '1.0', ...parts },
  resource: {
    attributes: new Map([['service.name', `${name} é`]]),
    serviceName: name,
    schemaUrl: undefined,
    ...resource,
  },
})

describe.each(protocols)('requests with %s', (protocol) => {
  test('a request has the same content for each record as a line of the File Exporter', () => {
    const all = records()
    expect(flattened(read(protocol, requestOf(protocol, all).bytes))).toEqual(linesOf(all).flatMap(flattened))
  })

  // Requirements: JS3, JS5, JS6, JS8
  test('any value is encoded as in OTLP/JSON', () => {
    fc.assert(
      fc.property(memberDescriptions, (members) => {
        const record = () => recordOf({ body: buildMembers(members), attributes: buildMembers(members) })
        expect(flattened(read(protocol, requestOf(protocol, [record()]).bytes))).toEqual(
          linesOf([record()]).flatMap(flattened),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('consecutive records are grouped by resource and scope', () => {
    const a = source('a')
    const b = { ...source('b'), resource: a.resource }
    const c = source('c')
    const all = [a, a, b, c, a].map((bound, seq) => recordOf({ body: `${seq}`, span }, bound))
    const { resourceLogs } = read(protocol, requestOf(protocol, all).bytes) as unknown as Envelope
    const counts = resourceLogs.map(({ scopeLogs }) => scopeLogs.map(({ logRecords }) => logRecords.length))
    expect(counts).toEqual([[2, 1], [1], [1]])
  })

  test('a request has the schema URLs and the attributes and dropped attribute counts of scopes', () => {
    const bound = source(
      'lib',
      { schemaUrl: 'https://example.test/scope', attributes: new Map([['k', 1n]]), droppedAttributes: 2 },
      { schemaUrl: 'https://example.test/resource' },
    )
    const all = [recordOf({ body: 'm' }, bound)]
    expect(flattened(read(protocol, requestOf(protocol, all).bytes))).toEqual([
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'lib é' } }] },
        schemaUrl: 'https://example.test/resource',
        scope: {
          name: 'lib',
          version: '1.0',
          attributes: [{ key: 'k', value: { intValue: '1' } }],
          droppedAttributesCount: 2,
        },
        scopeSchema: 'https://example.test/scope',
        record: expect.objectContaining({ body: { stringValue: 'm' } }),
      },
    ])
  })

  test('no record is longer than recordBytes, and the largest attributes are truncated first', () => {
    const own = { ...rules, limits: { ...rules.limits, recordBytes: 1_000 } }
    const cut = (parts: Partial<LogRecord>) => {
      const { bytes } = requestOf(protocol, [recordOf(parts)], own)
      const { record } = flattened(read(protocol, bytes))[0] as { record: OtlpJson }
      expect(recordSize(record)).toBeLessThanOrEqual(1_000)
      return record
    }
    const long = 'é"'.repeat(400)
    const type = { key: 'exception.type', value: { stringValue: 'RangeError' } }
    const kept = { key: 'seq', value: { intValue: '7' } }
    const few = cut({
      body: 'short',
      attributes: { seq: 7, list: Array(300).fill('x'), long },
      exception: new RangeError('m'),
    })
    expect(few['attributes']).toEqual(expect.arrayContaining([kept, type]))
    expect(few['body']).toEqual({ stringValue: 'short' })
    expect(JSON.stringify(few)).toMatch(/\[Cut: \d+ bytes\]|…\[\+\d+ characters\]/)

    expect(cut({ body: long.repeat(3) })['body']).toEqual({
      stringValue: expect.stringMatching(/…\[\+\d+ characters\]$/),
    })

    const wide = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`a key with a long name ${index}`, index]),
    )
    expect(cut({ body: 'm', attributes: wide })['attributes']).toEqual([
      { key: '[truncated]', value: { stringValue: '+120 keys' } },
    ])
  })
})

test('both protocols encode and truncate records identically, for any limit', () => {
  const long = fc.string({ unit: 'binary', maxLength: 400 })
  const bodies = fc.oneof(long, descriptions)
  const limit = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 256, max: 2_000 }) }, fc.constant(262_144))
  let cut = 0
  const onTruncated = () => cut++
  fc.assert(
    fc.property(memberDescriptions, bodies, limit, fc.boolean(), (members, body, recordBytes, bare) => {
      const own = { ...rules, limits: { ...rules.limits, recordBytes, bare, onTruncated } }
      const parts = () => ({ body: typeof body === 'string' ? body : build(body), attributes: buildMembers(members) })
      const [protobuf, json] = protocols.map((protocol) => requestOf(protocol, [recordOf(parts())], own))
      const expected = flattened(read('http/protobuf', protobuf!.bytes))
      expect(expected).toHaveLength(1)
      expect(flattened(read('http/json', json!.bytes))).toEqual(expected)
      expect(protobuf!.each[0]).toBeLessThanOrEqual(recordBytes)
      expect(recordSize((expected[0] as { record: OtlpJson }).record)).toBe(protobuf!.each[0])
    }),
    { numRuns: 120 },
  )
  expect(cut).toBeGreaterThan(50)
})

test.each(protocols)(
  'a record of %s that is a few bytes too long is truncated to the limit and reported',
  (protocol) => {
    const record = recordOf({ body: 'm', attributes: { a: 'x'.repeat(200), b: 'y'.repeat(150) } })
    const whole = requestOf('http/protobuf', [record]).each[0]!
    for (let missing = 0; missing < 20; missing++) {
      const recordBytes = whole - missing
      let cut = 0
      const onTruncated = () => cut++
      const own = { ...rules, limits: { ...rules.limits, recordBytes, onTruncated } }
      const { bytes } = requestOf(protocol, [record], own)
      const size = recordSize((flattened(read(protocol, bytes))[0] as { record: OtlpJson }).record)
      expect(size <= recordBytes).toBe(true)
      expect([size === whole, cut]).toEqual(missing === 0 ? [true, 0] : [false, 1])
    }
  },
)

// Requirements: DM7
test('the count of dropped attributes is limited to the maximum of 32 bits', () => {
  for (const protocol of protocols) {
    const { bytes } = requestOf(protocol, [
      recordOf({ body: 'm', droppedAttributes: 4_294_967_295 }, { droppedAttributes: 1 }),
    ])
    expect(JSON.stringify(read(protocol, bytes))).toContain('"droppedAttributesCount":4294967295')
    const more = requestOf(protocol, [recordOf({ body: 'm', droppedAttributes: 2 ** 40 })])
    expect(JSON.stringify(read(protocol, more.bytes))).toContain('"droppedAttributesCount":4294967295')
  }
})
