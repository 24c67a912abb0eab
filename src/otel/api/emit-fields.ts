import { member } from '../../options/own-members.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import type { EmittedLogRecord } from './types.ts'

/**
 * The fields of an emitted record where reading them throws, or where it is no object at all: each is read by itself, and
 * one that throws costs itself alone (D4, ERR4). In place of a body, of the attributes or of an exception the record shows
 * that it threw. What stands on `Object.prototype` is no field of any record.
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
