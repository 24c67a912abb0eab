import { member } from '../../options/own-members.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { EmittedLogRecord } from './types.ts'

/**
 * Returns a copy of the fields of an emitted record, which may be of any type. Each field is read separately, so that a getter that
 * throws affects only its field: a body, attributes or an exception is replaced by a marker, any other field is omitted. Members of
 * `Object.prototype` are not fields of a record.
 */
export function safeFieldsOf(record: unknown): EmittedLogRecord {
  if (typeof record !== 'object' || record === null) return Object.create(null) as EmittedLogRecord
  const read = (key: keyof EmittedLogRecord): unknown => member(record as EmittedLogRecord, key)
  const fields = Object.create(null) as Record<string, unknown>
  for (const key of fieldNames) {
    try {
      fields[key] = read(key)
    } catch (reason) {
      if (key === 'attributes') fields[key] = { attributes: thrownMarker(reason) }
      else if (key === 'body' || key === 'exception') fields[key] = thrownMarker(reason)
    }
  }
  return fields
}

const fieldNames: readonly (keyof EmittedLogRecord)[] = [
  'timestamp',
  'observedTimestamp',
  'severityNumber',
  'severityText',
  'body',
  'attributes',
  'exception',
  'eventName',
  'context',
]
