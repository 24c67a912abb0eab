import { membersOf } from '../options/own-members.ts'
import { newRecord as createRecord, type LogRecord } from '../record/record.ts'
import { readClock } from '../record/time.ts'
import type { NewRecord } from './handler.ts'
import { CallOrigin } from './call-origin.ts'
import { HandlerMisuse, unknownLevelMisuse } from './handler-diagnostics.ts'

/**
 * Converts a record that a user's handler emits.
 *
 * @param isDetached - whether no record is being handled
 * @throws HandlerMisuse if it is invalid, and what reading it throws
 */
export function toNewRecord(
  record: NewRecord<string>,
  defaultOrigin: CallOrigin,
  levels: ReadonlyMap<string, number>,
  clock: () => number,
  isDetached: boolean,
): { readonly newRecord: LogRecord; readonly origin: CallOrigin } {
  const fields = membersOf(Object(record) as NewRecord<string>, [
    'level',
    'body',
    'keepsBraces',
    'attributes',
    'eventName',
    'origin',
  ])
  const { level, body, attributes, eventName, origin = defaultOrigin } = fields
  if (typeof attributes !== 'object' && attributes !== undefined)
    throw new HandlerMisuse('the handler emitted attributes that are not an object')
  if (typeof eventName !== 'string' && eventName !== undefined)
    throw new HandlerMisuse('the handler emitted an event name that is not a string')
  if (!(origin instanceof CallOrigin))
    throw new HandlerMisuse('the handler emitted a record with an origin that originOf() has not returned')
  const parts = CallOrigin.partsOf(origin)
  // The level of the origin's record can be one of another library's logger, which `levels` does not contain.
  const severity = level === undefined ? parts.severity : levels.get(level)
  if (severity === undefined) throw unknownLevelMisuse(levels)
  const newRecord = createRecord(readClock(clock), severity, level ?? parts.level, parts.bound)
  newRecord.body = body
  newRecord.keepsBraces = fields.keepsBraces === true
  newRecord.attributes = attributes ?? undefined
  newRecord.eventName = eventName
  newRecord.isDetached = isDetached || fields.origin !== undefined
  return { newRecord, origin }
}
