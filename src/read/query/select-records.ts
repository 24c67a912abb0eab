import type { ReadRecord } from '../record.ts'
import { QueryTimeoutError } from './query-timeout-error.ts'
import type { TimeLimit } from './time-limit.ts'

/** The time limits of predicates with regular expressions. */
const limits = new WeakMap<(record: ReadRecord) => boolean, TimeLimit>()

/** Adds a time limit to a predicate, for `selectRecords`. */
export function bindTimeLimit<P extends (record: ReadRecord) => boolean>(predicate: P, limit: TimeLimit): P {
  limits.set(predicate, limit)
  return predicate
}

/** Returns whether a predicate has a time limit, so that `selectRecords` is faster than a call for each record. */
export function hasTimeLimit(predicate: (record: ReadRecord) => boolean): boolean {
  return limits.has(predicate)
}

/**
 * Returns the records that match a predicate of `compileQuery`, in order. It starts one time limit for many records, where the predicate
 * itself starts one for each search of a slow regular expression.
 *
 * @throws QueryTimeoutError if a regular expression takes longer than the limit for one record.
 */
export function selectRecords(
  predicate: (record: ReadRecord) => boolean,
  records: readonly ReadRecord[],
): ReadRecord[] {
  const limit = limits.get(predicate)
  if (limit === undefined) return records.filter(predicate)
  const matches = new Uint8Array(records.length)
  let at = 0
  const testRest = (): void => {
    // Each step can be repeated, because the time can be over between any two of them.
    for (; at < records.length; at++) matches[at] = predicate(records[at]!) ? 1 : 0
  }
  while (at < records.length) {
    const start = at
    if (limit.run(testRest) || at > start) continue
    // The first record alone took the whole time.
    if (limit.expression !== undefined) throw new QueryTimeoutError(limit.expression, `${limit.millis} ms`)
    matches[at] = predicate(records[at]!) ? 1 : 0
    at++
  }
  return records.filter((_, index) => matches[index] === 1)
}
