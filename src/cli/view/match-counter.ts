import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'

/** Passes everything to a sink, and counts it. */
export class MatchCounter implements RecordSink {
  count = 0
  readonly #sink: RecordSink

  constructor(sink: RecordSink) {
    this.#sink = sink
  }

  record(record: ReadRecord): void {
    this.count++
    this.#sink.record(record)
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.count++
    this.#sink.text(bytes, origin)
  }
}
