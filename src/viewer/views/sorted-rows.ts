import type { Segment } from '../store/segment.ts'
import type { Rows } from './row-list.ts'

/** Returns the rows of some records of a segment, sorted by time and then by sequence number. */
export function sortedRows({ first, times, severities }: Segment, ascending: readonly number[]): Rows {
  const indexes = isSorted(times, ascending) ? ascending : ascending.toSorted((a, b) => times[a]! - times[b]! || a - b)
  return {
    sequences: Float64Array.from(indexes, (index) => first + index),
    times: Float64Array.from(indexes, (index) => times[index]!),
    severities: Uint8Array.from(indexes, (index) => severities[index]!),
    length: indexes.length,
  }
}

function isSorted(times: Float64Array, indexes: readonly number[]): boolean {
  for (let at = 1; at < indexes.length; at++) if (times[indexes[at - 1]!]! > times[indexes[at]!]!) return false
  return true
}
