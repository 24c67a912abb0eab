import { otlpJsonLines } from '../../../src/encode/otlp/otlp-json.ts'
import { otlpEncoding, type OtlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import { jsonLines } from '../../../src/encode/json/json-lines.ts'
import { pretty } from '../../../src/exporters/pretty-encoding.ts'
import type { Encoding } from '../../../src/encode/encoding.ts'
import type { Delivery, EncodedBatch, Exporter } from '../../../src/pipeline/exporter.ts'
import { decodeRequest } from '../../support/otlp/messages.ts'
import { expectNoCanary } from './canary.ts'
import { scanJson } from './json-scanner.ts'

/** A format with an independent parser. */
export interface Output {
  readonly name: string
  readonly encoding: () => Encoding
  /** Throws if the bytes of a record are malformed or differ from `expected`. */
  read(record: Kept, expected: Expected): void
}

/** The encoded form of one record. */
export interface Kept {
  readonly bytes: Uint8Array
  /** A complete OTLP request with only this record, for formats with requests. */
  readonly request: Uint8Array | undefined
}

/** The fields that logged data cannot change. */
export interface Expected {
  /** The level in the line. undefined accepts any level. */
  readonly level: string | undefined
  readonly timestamp: string | undefined
  readonly scope: string
}

/** Creates an exporter that stores each record separately. */
export function recordKeeper(encoding: Encoding, delivery: Delivery = {}): Exporter & { readonly kept: Kept[] } {
  const kept: Kept[] = []
  function keep(batch: EncodedBatch): { status: 'accepted' } {
    const { request } = encoding as Partial<OtlpEncoding>
    for (let index = 0; index < batch.count; index++) {
      const one = batch.slice(index, index + 1)
      const bytes = Uint8Array.from(one.bytes())
      const whole = request === undefined ? undefined : Buffer.concat(request(bytes, one.sources()))
      kept.push({ bytes, request: whole })
    }
    return { status: 'accepted' }
  }
  return { name: 'kept', encoding, schedule: 'sync', delivery, export: keep, exportSync: keep, kept }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Every format. */
export const outputs: readonly Output[] = [
  {
    name: 'sluice',
    encoding: () => jsonLines(),
    read(record, expected) {
      const line = lineOf(record)
      const { level, timestamp } = expected
      const keys = readLine(line, { level, timestamp, 'otel.scope.name': expected.scope })
      expectKeys(keys, sluiceKeys)
    },
  },
  {
    name: 'otel',
    encoding: () => jsonLines('otel'),
    read(record, expected) {
      const line = lineOf(record)
      const { level, timestamp, scope } = expected
      const keys = readLine(line, { severity_text: level?.toUpperCase(), timestamp, 'otel.scope.name': scope })
      expectKeys(keys, otelKeys)
    },
  },
  {
    name: 'otlpJson',
    encoding: () => otlpJsonLines(),
    read(record, expected) {
      const line = lineOf(record)
      scanJson(line)
      expectRequest(JSON.parse(line), expected)
    },
  },
  {
    name: 'otlp http/json',
    encoding: () => otlpEncoding('http/json'),
    read({ bytes, request }, expected) {
      expectNoCanary(Buffer.from(bytes).toString('latin1'), 'a JSON fragment')
      const text = decoder.decode(request)
      scanJson(text)
      expectRequest(JSON.parse(text), expected)
    },
  },
  {
    name: 'otlp http/protobuf',
    encoding: () => otlpEncoding('http/protobuf'),
    read({ bytes, request }, expected) {
      expectNoCanary(Buffer.from(bytes).toString('latin1'), 'a protobuf fragment')
      const read = decoded(request!)
      if (read !== undefined) expectRequest(read, expected)
    },
  },
  {
    name: 'pretty',
    encoding: () => pretty({ colors: false }),
    read(record) {
      expectPretty(lineOf(record, false))
    },
  },
  {
    name: 'pretty in color',
    encoding: () => pretty({ colors: true }),
    read(record) {
      // oxlint-disable-next-line no-control-regex
      expectPretty(lineOf(record, false).replaceAll(/\u001b\[(?:0|1|2|3[1-6]|1;3[13]|1;31;7)m/g, ''))
    },
  },
]

/** Decodes a request. Returns undefined if it is nested deeper than the limit of protobufjs, a hundred messages. */
function decoded(request: Uint8Array): unknown {
  try {
    return decodeRequest(request)
  } catch (error) {
    if ((error as Error).message === 'maximum nesting depth exceeded') return undefined
    throw error
  }
}

/** Returns the text of a record without its line end. */
function lineOf({ bytes }: Kept, isOne = true): string {
  const text = decoder.decode(bytes)
  expectNoCanary(text, 'a line')
  if (!text.endsWith('\n')) throw new Error('no line end')
  const line = text.slice(0, -1)
  if (isOne && /[\n\r]/.test(line)) throw new Error('more than one line')
  return line
}

function readLine(line: string, core: Readonly<Record<string, string | undefined>>): string[] {
  const keys = scanJson(line)
  const read = JSON.parse(line) as Readonly<Record<string, unknown>>
  for (const [key, value] of Object.entries(core)) {
    // A scope without a name is omitted. A lone surrogate stays one in JSON, where it is escaped.
    if (value !== undefined && ((read[key] ?? '') as string).toWellFormed() !== value)
      throw new Error(`${key} is ${JSON.stringify(read[key])} and not ${JSON.stringify(value)}`)
  }
  return keys
}

const shared = 'timestamp trace_id span_id trace_flags otel.scope.name otel.scope.version otel.event.name'.split(' ')
const sluiceKeys = [
  ...shared,
  ...'level severity_number message service.name otel.dropped_attributes_count attributes'.split(' '),
]
const otelKeys = [
  ...shared,
  ...'severity_text severity_number body otel.dropped_attributes_count attributes resource'.split(' '),
]

function expectKeys(keys: readonly string[], known: readonly string[]): void {
  const strange = keys.find((key) => !known.includes(key))
  if (strange !== undefined) throw new Error(`a line has the key ${JSON.stringify(strange)}`)
}

interface KeyValue {
  readonly key: string
  readonly value: unknown
}

/** Checks that a request has one record with unique keys and without forged fields. */
function expectRequest(request: unknown, { scope, level }: Expected): void {
  const { resourceLogs } = request as { resourceLogs: any[] }
  const [{ scopeLogs }] = resourceLogs
  const [{ logRecords, scope: given }] = scopeLogs
  if (resourceLogs.length !== 1 || scopeLogs.length !== 1 || logRecords.length !== 1)
    throw new Error('a request has not one record')
  if ((given?.name ?? '') !== scope) throw new Error(`the scope is ${JSON.stringify(given)}`)
  if (level !== undefined && logRecords[0].severityText !== level)
    throw new Error(`the level is ${JSON.stringify(logRecords[0].severityText)}`)
  expectUniqueKeys(request)
}

function isMember(item: unknown): item is KeyValue {
  return typeof item === 'object' && item !== null && 'key' in item
}

function expectUniqueKeys(value: unknown): void {
  if (Array.isArray(value)) {
    const members = value.filter(isMember)
    const keys = new Set(members.map(({ key }) => key))
    if (keys.size !== members.length) throw new Error(`duplicate key: ${JSON.stringify(value).slice(0, 500)}`)
    for (const item of value) expectUniqueKeys(item)
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) expectUniqueKeys(item)
  }
}

/** Checks for raw control or bidirectional formatting characters, and for lines that are not an indented stack. */
function expectPretty(text: string): void {
  const obeyed =
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u
  const found = obeyed.exec(text)
  if (found !== null) throw new Error(`a raw control character ${JSON.stringify(found[0])}: ${JSON.stringify(text)}`)
  const [first, ...more] = text.split('\n')
  if (!/^\d\d:\d\d:\d\d\.\d\d\d /.test(first!)) throw new Error(`the line has no time: ${JSON.stringify(first)}`)
  const forged = more.find((line) => !line.startsWith('    '))
  if (forged !== undefined) throw new Error(`a second line: ${JSON.stringify(forged)}`)
}
