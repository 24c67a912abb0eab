import type { AnyValue, AnyValueMap } from '../record/any-value.ts'
import type { ReadRecord, RecordOrigin } from './record.ts'

const decoder = new TextDecoder()
const lineEndPattern = /\r?\n$/
const noAttributes: AnyValueMap = new Map<string, AnyValue>()

/** Returns a record of the format `text` for a line of no known format. Its message is the line without its line end. */
export function textLineRecord(raw: Uint8Array, origin: RecordOrigin): ReadRecord {
  const message = decoder.decode(raw).replace(lineEndPattern, '')
  return {
    format: 'text',
    time: undefined,
    timeUnixNano: undefined,
    severityNumber: 0,
    level: '',
    severityText: undefined,
    body: message,
    message,
    eventName: undefined,
    attributes: noAttributes,
    resource: noAttributes,
    scope: undefined,
    scopeVersion: undefined,
    traceId: undefined,
    spanId: undefined,
    traceFlags: undefined,
    origin,
    raw,
  }
}

/** Returns whether a record is a line of no known format: text that a container or a logger wrote has a time or a level. */
export function isTextLine({ format, time, level }: ReadRecord): boolean {
  return format === 'text' && time === undefined && level === ''
}
