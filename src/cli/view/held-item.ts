import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { textLineRecord } from '../../read/text-line-record.ts'

/** A record, or lines of no known format, that is held back. */
export interface HeldItem {
  /** The record; for lines of no known format one of the format `text`. */
  readonly record: ReadRecord
  readonly isText: boolean
}

/** Returns lines of no known format as an item. */
export function textItem(bytes: Uint8Array, origin: RecordOrigin): HeldItem {
  return { record: textLineRecord(bytes, origin), isText: true }
}

/** Passes a held item to a sink. */
export function release({ record, isText }: HeldItem, sink: RecordSink): void {
  if (isText) sink.text(record.raw, record.origin)
  else sink.record(record)
}
