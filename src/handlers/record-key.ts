import { ignoreRejection } from '../options/observe-promise.ts'
import type { Check } from '../options/option-checks.ts'
import { typeName } from '../options/option-checks.ts'
import type { HandledRecord } from '../handler/handler.ts'
import { HandlerMisuse } from '../handler/handler-diagnostics.ts'
import { isSummary, summaryEvent } from './summary.ts'

/**
 * What identifies records of the same kind: `template`, or a function that returns the key of a record. The template is the name of
 * the event, or else the message without inserted values, or else the name and message of the error. Records whose key is undefined
 * are not counted and always kept. Records of different levels never share a key.
 */
export type RecordKey = 'template' | ((record: HandledRecord) => string | number | boolean | undefined)

/** Checks a `RecordKey`. */
export const recordKeyCheck: Check = (value, where, problems) => {
  if (value === 'template' || typeof value === 'function') return
  const expected = `'template' or a function that returns a key, not ${typeName(value)}`
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: `must be ${expected}` })
}

/** Returns the function that returns the key of a record. `caller` is the name of the public function, for its errors. */
export function keyFunction(by: RecordKey, caller: string): (record: HandledRecord) => string | undefined {
  if (by === 'template') return templateOf
  return (record) => {
    if (isSummary(record)) return undefined
    const key: unknown = by(record)
    if (typeof key === 'string' || key === undefined) return key
    if (typeof key === 'number' || typeof key === 'boolean') return String(key)
    ignoreRejection(key)
    throw new HandlerMisuse(
      `${caller}: by returned ${typeName(key)}, so the record is written; return a string, a number, a boolean or undefined`,
    )
  }
}

/** Returns the template of a record; undefined if it has none. */
export function templateOf(record: HandledRecord): string | undefined {
  const { eventName, body } = record
  if (eventName !== undefined) return eventName === summaryEvent ? undefined : eventName
  if (typeof body === 'string') return body
  return body === undefined && record.exception !== undefined ? errorText(record.exception) : undefined
}

/** Returns the name and message of an error; undefined if reading them throws. */
function errorText(error: unknown): string | undefined {
  try {
    const { name, message } = error as { readonly name?: unknown; readonly message?: unknown }
    return `${String(name)}: ${String(message)}`
  } catch {
    return undefined
  }
}
