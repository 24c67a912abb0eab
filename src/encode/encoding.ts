import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../rules/rules.ts'

declare const encoded: unique symbol

/**
 * Finished text of one record: redacted, rendered, with its line end. Only encode/ makes it, so what waits in a queue
 * cannot hold what a rule covers.
 */
export type EncodedRecord = string & { readonly [encoded]: true }

/** Turns records into text by one set of rules. It keeps what it has rendered, so it belongs to one logger family. */
export interface RecordEncoder {
  /** Renders and redacts a record in one walk. User code that throws shows in the text; only an exhausted stack throws. */
  encode(record: LogRecord): EncodedRecord
}

/** A format with its options: makes encoders. Two encodings with the same key render the same text. */
export interface Encoding {
  /** Identifies the format and its options. */
  readonly key: string
  /** Makes an encoder that holds these rules. */
  encoder(rules: Rules): RecordEncoder
}
