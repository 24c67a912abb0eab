import { withoutPrototype } from '../options/own-members.ts'
import type { LineChunk } from './input/line-chunk.ts'
import type { NeededRecords } from './lines/line-filter.ts'
import { RecordReader } from './lines/record-reader.ts'
import type { RecordSink } from './lines/record-sink.ts'
import type { FormatName, ReadRecord, RecordOrigin } from './record.ts'
import { textLineRecord } from './text-line-record.ts'

/** The options of reading lines as records. */
export interface ReaderOptions {
  /** The format of all lines; by default it is detected. */
  readonly input?: FormatName | undefined
  /** The keys from which fields are read, by field. */
  readonly fieldNames?: ReadonlyMap<string, string> | undefined
  /** Which records are needed. Do not set it for an input that is read twice, because the two reads could return different records. */
  readonly needed?: NeededRecords | undefined
  /** Which records can match when traces are searched, which reads all files before their records are read again. */
  readonly neededByTraces?: NeededRecords | undefined
}

/** The options of reading several inputs as one sequence of records. */
export interface BatchOptions extends ReaderOptions {
  /**
   * Returns whether a record is in the output. Lines of no known format are records of the format `text`. It is called once for each
   * record.
   *
   * @defaultValue all records are
   */
  readonly accepts?: (record: ReadRecord) => boolean
  /** Called with a sentence about an input that cannot be read, or only in part. What could be read is in the output. */
  readonly onInputError: (file: string, message: string) => void
  readonly signal?: AbortSignal | undefined
  /** The folder of temporary files; by default that of the system. */
  readonly folder?: string | undefined
}

/** Creates the reader of the records of a file. */
export function newRecordReader(
  file: string,
  sink: RecordSink,
  options: ReaderOptions & { readonly reuseBuffer?: boolean },
): RecordReader {
  const { input, fieldNames, needed, reuseBuffer = false } = withoutPrototype(options)
  return new RecordReader({
    file,
    sink,
    needed,
    reuseBuffer,
    ...(input && { input }),
    ...(fieldNames && { fieldNames }),
  })
}

/** Yields the records of the chunks of a file, also those of the format `text`, in batches. */
export async function* recordBatches(
  file: string,
  chunks: AsyncIterable<LineChunk>,
  options: Pick<BatchOptions, 'accepts' | keyof ReaderOptions>,
): AsyncGenerator<readonly ReadRecord[]> {
  const sink = new BatchSink(withoutPrototype(options).accepts)
  const reader = newRecordReader(file, sink, options)
  for await (const chunk of chunks) {
    reader.read(chunk)
    if (sink.batch.length > 0) yield sink.take()
  }
  reader.flush()
  if (sink.batch.length > 0) yield sink.take()
}

/** Collects the accepted records, and lines of no known format as records. */
export class BatchSink implements RecordSink {
  readonly #accepts: (record: ReadRecord) => boolean
  batch: ReadRecord[] = []

  constructor(accepts: (record: ReadRecord) => boolean = () => true) {
    this.#accepts = accepts
  }

  record(record: ReadRecord): void {
    if (this.#accepts(record)) this.batch.push(record)
  }

  text(bytes: Uint8Array, origin: RecordOrigin): void {
    this.record(textLineRecord(bytes, origin))
  }

  take(): readonly ReadRecord[] {
    const { batch } = this
    this.batch = []
    return batch
  }
}
