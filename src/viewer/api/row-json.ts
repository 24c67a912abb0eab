import { plainText } from '../../encode/plain-data.ts'
import type { ReadRecord } from '../../read/record.ts'
import type { LogStore } from '../store/log-store.ts'
import type { RowList } from '../views/row-list.ts'

const maxMessageLength = 500
const maxAttributesLength = 300
const maxAttributes = 12

/** A record as the list shows it: one line. */
export interface RowJson {
  /** The sequence number of the record. */
  readonly seq: number
  /** Milliseconds since the Unix epoch; that of its arrival if the record has no time. */
  readonly time: number
  readonly severity: number
  readonly level: string
  readonly service: string
  readonly scope: string
  readonly trace: string
  readonly span: string
  readonly event: string
  readonly message: string
  /** The names and values of its first attributes. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
  /** Whether it has an exception. */
  readonly hasException: boolean
}

/** Consecutive rows of a view. */
export interface RowBlock {
  /** The position of the first one. */
  readonly from: number
  readonly rows: readonly RowJson[]
  /** The epoch in which they have their positions. */
  readonly epoch: number
}

/** Returns rows of a view from a position on. */
export function rowBlock(logs: LogStore, { sequences, epoch }: RowList, from: number, count: number): RowBlock {
  return { from, rows: rowsJson(logs, sequences.subarray(from, from + count)), epoch }
}

/** Returns the records with some sequence numbers as lines of the list. */
export function rowsJson(logs: LogStore, sequences: Float64Array): RowJson[] {
  const rows: RowJson[] = []
  for (const sequence of sequences) {
    const place = logs.placeOf(sequence)
    if (place === undefined) continue
    const { segment, index } = place
    rows.push(rowJson(sequence, segment.times[index]!, logs.readAt(segment, index)))
  }
  return rows
}

/** Returns a record as one line of the list. Long texts are cut. */
export function rowJson(seq: number, time: number, record: ReadRecord): RowJson {
  const { body, attributes, resource } = record
  const service = resource.get('service.name')
  return {
    seq,
    time,
    severity: record.severityNumber,
    level: record.level,
    service: typeof service === 'string' ? service : (record.origin.container ?? ''),
    scope: record.scope ?? '',
    trace: record.traceId ?? '',
    span: record.spanId ?? '',
    event: record.eventName ?? '',
    message: body === undefined ? '' : shortened(plainText(body), maxMessageLength),
    attributes: firstAttributes(record),
    hasException: attributes.has('exception.type') || attributes.has('exception.message'),
  }
}

function firstAttributes({ attributes }: ReadRecord): [name: string, value: string][] {
  const shown: [string, string][] = []
  let length = 0
  for (const [name, value] of attributes) {
    if (name === 'exception.stacktrace') continue
    const text = shortened(plainText(value), 80)
    length += name.length + text.length
    if (shown.length >= maxAttributes || length > maxAttributesLength) break
    shown.push([shortened(name, 80), text])
  }
  return shown
}

/** Returns a text, cut with an ellipsis if it is longer. A cut does not separate the two halves of a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return `${text.slice(0, last >= 0xd8_00 && last < 0xdc_00 ? maxLength - 1 : maxLength)}…`
}
