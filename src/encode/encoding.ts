import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LongLine } from './json/long-line.ts'
import type { WalkedRecord } from './walk/walked-record.ts'
import type { Walk } from './walk/walk.ts'

declare const encoded: unique symbol

/**
 * Finished text of one record: redacted, rendered, with its line end. Only encode/ makes it, so what waits in a queue
 * cannot hold what a rule covers. A `LongLine` is as good as finished: what is left to do is to escape what it holds.
 */
export type EncodedRecord = (string & { readonly [encoded]: true }) | LongLine

/** Turns records into text by one set of rules. It keeps what it has rendered, so it belongs to one logger family. */
export interface RecordEncoder {
  /** Renders and redacts a record in one walk. User code that throws shows in the text; only an exhausted stack throws. */
  encode(record: LogRecord): EncodedRecord
}

/** How a format writes records that were walked, by one set of rules. It keeps what it has rendered, so it belongs to one encoder. */
export interface RecordTarget<T> {
  /** Builds values in this format. */
  readonly walk: Walk<T, T, T>
  /** Writes a record of what the walk has built. No user code runs. */
  write(record: LogRecord, walked: WalkedRecord<T>): EncodedRecord
  /** Releases what it keeps for one record. */
  release(): void
}

/**
 * How records are rendered for an exporter: a format with its options, made by `jsonLines()` or `pretty()`. What makes text
 * of records stays inside this package, so that no other code can put text into a queue.
 */
export interface Encoding {
  /** Identifies the format and its options: two encodings with the same key render the same text. */
  readonly key: string
  /** The text is bytes, one of them a character. */
  readonly binary?: boolean
}

/** An encoding as this package knows it. */
export interface Format extends Encoding {
  /** Makes an encoder that holds these rules. */
  encoder(rules: Rules): RecordEncoder
  /** Creates what writes records that were walked once for several formats; undefined where a format walks nothing. */
  readonly target: ((rules: Rules) => RecordTarget<unknown>) | undefined
}

/** Makes an encoder for an encoding; only the formats of this package are encodings. */
export function encoderFor(encoding: Encoding, rules: Rules): RecordEncoder {
  return (encoding as Format).encoder(rules)
}
