import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import type { LongLine } from './json/long-line.ts'
import type { WalkedRecord } from './walk/walked-record.ts'
import type { Walk } from './walk/walk.ts'

declare const encodedBrand: unique symbol

/**
 * Finished text of one record: redacted, rendered, with the line end or separator of its format. Only src/encode creates it, so a queue
 * cannot contain a value that a redaction rule removes. A `LongLine` is redacted too, but its long strings are escaped only when it is
 * written.
 */
export type EncodedRecord = (string & { readonly [encodedBrand]: true }) | LongLine

/** Encodes records as text, with one set of rules. It caches rendered text, so it belongs to one root logger and its children. */
export interface RecordEncoder {
  /** Redacts and renders a record in one walk. If user code throws, the text contains a marker. Throws only when the stack overflows. */
  encode(record: LogRecord): EncodedRecord
}

/** Writes walked records in one format, with one set of rules. It caches rendered text, so it belongs to one encoder. */
export interface RecordTarget<T> {
  /** Builds values in this format. */
  readonly walk: Walk<T, T, T>
  /** Writes a record from the values that the walk has built. Runs no user code. */
  write(record: LogRecord, walked: WalkedRecord<T>): EncodedRecord
  /** Releases the state kept for one record. */
  release(): void
}

/**
 * A text format for an exporter, with its options. `jsonLines()` and `pretty()` create encodings. Custom encodings are not supported:
 * only this package renders records, so only redacted text can reach a queue.
 */
export interface Encoding {
  /** Identifies the format and its options: two encodings with the same key render the same text. */
  readonly key: string
  /** Whether the text is binary data, with one byte in each character. */
  readonly binary?: boolean
}

/** The internal interface of an encoding. */
export interface Format extends Encoding {
  /** Creates an encoder with these rules. */
  encoder(rules: Rules): RecordEncoder
  /** Creates the target for records that are walked once for several formats; undefined if the format does not walk records. */
  readonly target: ((rules: Rules) => RecordTarget<unknown>) | undefined
}

/** Creates an encoder for an encoding. Every encoding is a format of this package. */
export function encoderFor(encoding: Encoding, rules: Rules): RecordEncoder {
  return (encoding as Format).encoder(rules)
}
