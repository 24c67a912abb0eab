import { member } from '../../options/own-members.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { EmittedLogRecord } from './types.ts'

/**
 * Returns the fields of an emitted record when reading them throws, or when it is not an object. Each field is read separately, so
 * one that throws affects only itself (D4, ERR4). A body, attributes or an exception that throws is replaced by a marker. Members
 * of `Object.prototype` are not fields of a record.
 */
export function guardedFields(record: unknown): EmittedLogRecord {
  if (typeof record !== 'object' || record === null) return Object.create(null) as EmittedLogRecord
  const read = (key: keyof EmittedLogRecord): unknown => member(record as EmittedLogRecord, key)
  const fields = Object.create(null) as Record<string, unknown>
  for (const key of keys) {
    try {
      fields[key] = read(key)
    } catch (reason) {
      if (key === 'attributes') fields[key] = { attributes: thrownMarker(reason) }
      else if (key === 'body' || key === 'exception') fields[key] = thrownMarker(reason)
    }
  }
  return fields
}

const keys: readonly (keyof EmittedLogRecord)[] = [
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
