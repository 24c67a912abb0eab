import { BoundState, CachedValue } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'

/** The attribute of records that were held before they were written. */
const names: readonly string[] = ['sluice.recorded']
const values: readonly boolean[] = [true]
const cacheKey = {}

/**
 * Adds the attribute that marks a record as held. It is added to the bound attributes, whose text encoders cache, so that it costs nothing
 * in later records of the same logger and context.
 */
export function markAsRecorded(record: LogRecord): void {
  const { bound } = record
  const cached = bound.cacheEntryOf(cacheKey) as CachedValue<BoundState> | undefined
  record.bound = (cached ?? bound.addCacheEntry(new CachedValue(cacheKey, markedState(bound)))).value
}

function markedState(bound: BoundState): BoundState {
  return new BoundState(bound.origin, bound, bound.names.extended({ names, keys: undefined, shape: names }), values)
}
