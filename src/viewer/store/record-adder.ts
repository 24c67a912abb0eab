import { jsonText } from '../../encode/plain-data.ts'
import type { RecordSink } from '../../read/lines/record-sink.ts'
import type { ReadRecord, RecordOrigin } from '../../read/record.ts'
import { textLineRecord } from '../../read/text-line-record.ts'
import { LogHeadReader } from '../otlp/log-head.ts'
import { ProtoReader } from '../otlp/proto-reader.ts'
import { writeLogRecord } from '../otlp/write-log-record.ts'
import type { LogStore } from './log-store.ts'

/** Adds records that were read from lines to the store. */
export class RecordAdder implements RecordSink {
  private readonly store: LogStore
  private readonly now: () => number
  private readonly isArchived: boolean
  private readonly head = new LogHeadReader()

  /**
   * @param now - returns the time of records without one, in ms since the Unix epoch
   * @param isArchived - whether the records are saved in the database
   */
  constructor(store: LogStore, now: () => number = Date.now, isArchived = true) {
    this.isArchived = isArchived
    this.store = store
    this.now = now
  }

  record(record: ReadRecord): void {
    this.add(record, record.origin)
  }

  /**
   * Adds a record with another origin.
   *
   * @param now - the time of a record without one, in ms since the Unix epoch
   */
  add(record: ReadRecord, origin: RecordOrigin, now: number = this.now()): void {
    const { format, resource, scope, scopeVersion } = record
    const source = this.store.sources.numberOf(sourceKey(record, origin), () => ({
      format,
      origin: { ...origin, line: Number.NaN },
      resource,
      scope,
      scopeVersion,
    }))
    const bytes = writeLogRecord(record)
    this.head.read(new ProtoReader(bytes), bytes.length)
    this.store.add(bytes, 0, bytes.length, source, this.head, now, this.isArchived)
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.record(textLineRecord(bytes, origin))
  }
}

function sourceKey(record: ReadRecord, { file, container = '', stream = '' }: RecordOrigin): string {
  const { format, resource, scope = '', scopeVersion = '' } = record
  return jsonText([format, file, container, stream, scope, scopeVersion, resource])
}
