import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import type { ReadRecord } from '../../read/record.ts'
import { shortened } from './row-json.ts'

const maxTextLength = 50_000
const maxItems = 1_000
const maxDepth = 32

/** A value for the page: objects are lists of entries, so that their keys are nothing but text, and their order is kept. */
export type ValueJson =
  | string
  | number
  | boolean
  | null
  | { readonly kind: 'map'; readonly entries: readonly (readonly [string, ValueJson])[]; readonly omitted: number }
  | { readonly kind: 'list'; readonly items: readonly ValueJson[]; readonly omitted: number }
  | { readonly kind: 'integer' | 'number' | 'bytes' | 'omitted'; readonly text: string }

/** Returns all parts of a record for the page. Very long texts, lists and objects are cut. */
export function recordJson(seq: number, time: number, record: ReadRecord): object {
  const { origin } = record
  return {
    seq,
    time,
    timeNanos: record.timeUnixNano?.toString() ?? null,
    severity: record.severityNumber,
    level: record.level,
    severityText: record.severityText ?? null,
    event: record.eventName ?? null,
    body: record.body === undefined ? null : valueJson(record.body, 0),
    attributes: valueJson(record.attributes, 0),
    resource: valueJson(record.resource, 0),
    scope: record.scope ?? null,
    scopeVersion: record.scopeVersion ?? null,
    trace: record.traceId ?? null,
    span: record.spanId ?? null,
    flags: record.traceFlags ?? null,
    format: record.format,
    file: origin.file,
    container: origin.container ?? null,
    stream: origin.stream ?? null,
  }
}

function valueJson(value: AnyValue, depth: number): ValueJson {
  if (typeof value === 'string') return shortened(value, maxTextLength)
  // JSON has no other numbers.
  if (typeof value === 'number') return Number.isFinite(value) ? value : { kind: 'number', text: String(value) }
  if (typeof value === 'bigint') return { kind: 'integer', text: String(value) }
  if (value === null || typeof value === 'boolean') return value
  if (value instanceof Uint8Array) {
    const text = Buffer.from(value.subarray(0, maxTextLength)).toString('base64')
    return { kind: 'bytes', text: value.length > maxTextLength ? `${text}…` : text }
  }
  if (depth >= maxDepth) return { kind: 'omitted', text: 'nested too deeply' }
  return Array.isArray(value) ? listJson(value as readonly AnyValue[], depth) : mapJson(value as AnyValueMap, depth)
}

function listJson(list: readonly AnyValue[], depth: number): ValueJson {
  const items = list.slice(0, maxItems).map((item) => valueJson(item, depth + 1))
  return { kind: 'list', items, omitted: list.length - items.length }
}

function mapJson(map: AnyValueMap, depth: number): ValueJson {
  const entries: [string, ValueJson][] = []
  for (const [key, value] of map) {
    if (entries.length >= maxItems) break
    entries.push([shortened(key, maxTextLength), valueJson(value, depth + 1)])
  }
  return { kind: 'map', entries, omitted: map.size - entries.length }
}
