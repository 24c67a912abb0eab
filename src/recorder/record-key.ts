import type { BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import type { RecordKey } from './key-ring.ts'

/** Returns the key of a record; undefined if it has none. */
export type KeyOf = (record: LogRecord) => RecordKey | undefined

/**
 * Returns the function that returns the key of a record.
 *
 * @param by - `trace`, `request` or the name of an attribute
 * @param currentRequest - returns the request that is handled in the current async context
 * @param onNoTrace - called once when a record has no trace and none had one before
 */
export function keyFunction(by: string, currentRequest: () => object | undefined, onNoTrace: () => void): KeyOf {
  if (by === 'trace') return traceKey(onNoTrace)
  if (by === 'request') return currentRequest
  return ({ bound, baggageAttributes }) => boundKey(bound, by) ?? baggageKey(baggageAttributes, by)
}

function traceKey(onNoTrace: () => void): KeyOf {
  let isFirst = true
  return ({ span }) => {
    const isReported = isFirst && span === undefined
    isFirst = false
    if (isReported) onNoTrace()
    return span?.traceId
  }
}

/** Returns the value of a bound attribute if it can be a key: text, a number or a boolean. */
function boundKey(bound: BoundState, key: string): RecordKey | undefined {
  const value = bound.valueOfKey(key)
  return typeof value === 'object' ? undefined : value
}

/** Returns the value of an attribute that was copied from baggage. */
function baggageKey(attributes: object | undefined, key: string): RecordKey | undefined {
  if (attributes === undefined || !Object.hasOwn(attributes, key)) return undefined
  return (attributes as Readonly<Record<string, string>>)[key]
}
