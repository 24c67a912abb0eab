import type { EncodedRecord } from './encoding.ts'

/**
 * Marks text as finished, without changing it: either the walk has already redacted and rendered it for a compatible API, or the caller
 * passed text to a destination.
 */
export function finishedText(text: string): EncodedRecord {
  return text as EncodedRecord
}
