import type { EncodedRecord } from './encoding.ts'

/**
 * Text that a bridge's line was made of by the walk, or that somebody gave a destination as text: there is nothing left in it
 * to redact or render.
 */
export function finishedText(text: string): EncodedRecord {
  return text as EncodedRecord
}
