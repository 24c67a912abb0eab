import { withoutPrototype } from '../../options/own-members.ts'
import type { ReadRecord } from '../record.ts'
import type { RecordReader } from '../lines/record-reader.ts'
import type { RecordSink } from '../lines/record-sink.ts'
import { newRecordReader, type BatchOptions } from '../record-batches.ts'
import { BlockCache } from '../repeatable/block-cache.ts'
import { noBytes, type ByteRange } from '../repeatable/random-access.ts'
import { RepeatableInput } from '../repeatable/repeatable-input.ts'
import { OpenFiles } from '../repeatable/open-files.ts'
import { MatchingTraces } from '../traces/matching-traces.ts'
import { IndexedSource } from './indexed-source.ts'
import type { IndexRun } from './index-run.ts'
import { InputScan } from './input-scan.ts'
import { mergeSources } from './merge-sources.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { OrderedSource } from './ordered-source.ts'
import { RecordIndex } from './record-index.ts'
import { RecordParser } from './record-parser.ts'
import type { RecordSource } from './record-source.ts'

/** The options of `sortRecords`. */
export interface SortOptions extends BatchOptions {
  /** Selects the records of the traces in which a record matches, and those that match without a trace, as `readTraces` does. */
  readonly traceOf?: ((record: ReadRecord) => boolean) | undefined
}

/** More compressed files are copied to the temporary file, because each that is decompressed again needs up to 10 MB of memory. */
const maxDecompressed = 8
const mergeBytes = 1_048_576
const minChunkBytes = 16_384
const maxChunkBytes = 65_536

/**
 * Yields the records of several files by time, in batches. Records with the same time are in the order of the files, and in a file in
 * the order of its lines. A record without a time takes that of the record before it.
 *
 * The files are read twice. In the first pass, the times are compared: records that are in order are merged directly in the second pass,
 * and only of the others an index is built, on disk if it is large.
 *
 * @param files - paths; `-` is the standard input
 * @throws TemporaryFileError if a temporary file is required and cannot be written
 */
export async function* sortRecords(
  files: readonly string[],
  sortOptions: SortOptions,
): AsyncGenerator<readonly ReadRecord[]> {
  const options = withoutPrototype(sortOptions)
  const openFiles = new OpenFiles(options.folder)
  try {
    const sources = await new Sorter(options, openFiles).sources(files)
    if (options.signal?.aborted !== true) yield* mergeSources(sources)
  } finally {
    openFiles.close()
  }
}

class Sorter {
  readonly #options: SortOptions
  readonly #openFiles: OpenFiles
  readonly #index: RecordIndex
  readonly #joined: JoinedBytes

  constructor(options: SortOptions, openFiles: OpenFiles) {
    this.#options = options
    this.#openFiles = openFiles
    this.#index = new RecordIndex(() => openFiles.openTemporaryFile())
    this.#joined = new JoinedBytes(() => openFiles.openTemporaryFile())
  }

  /** Reads all inputs once, and returns sources that together have all accepted records. */
  async sources(files: readonly string[]): Promise<RecordSource[]> {
    const inputs = files.map((file) => new RepeatableInput(file, this.#openFiles))
    const accepts = await this.#filter(inputs)
    const scans: InputScan[] = []
    for (const input of inputs) scans.push(await this.#scan(input, scans.length, accepts))
    const decompressed = inputs.filter((input) => input.isDecompressed)
    if (decompressed.length > maxDecompressed) for (const input of decompressed) await input.range()

    const chunkBytes = Math.max(minChunkBytes, Math.min(maxChunkBytes, Math.floor(mergeBytes / inputs.length)))
    const ordered = inputs.map((input, number): RecordSource => {
      const chunks = input.again({ chunkBytes, signal: this.#options.signal })
      return new OrderedSource(number, scans[number]!, chunks, this.#readerOf(input))
    })
    const runs = this.#index.finish()
    return runs.length === 0 ? ordered : [...ordered, await this.#indexedSource(runs, inputs, scans)]
  }

  /** Returns the function that selects records. */
  async #filter(inputs: readonly RepeatableInput[]): Promise<(record: ReadRecord) => boolean> {
    const { accepts = () => true, traceOf } = this.#options
    if (traceOf === undefined) return accepts
    const traces = new MatchingTraces(traceOf)
    for (const input of inputs) await traces.addInput(input, this.#options)
    return (record) => traces.includes(record) && accepts(record)
  }

  async #scan(input: RepeatableInput, number: number, accepts: (record: ReadRecord) => boolean): Promise<InputScan> {
    const scan = new InputScan(number, { accepts, index: this.#index, joined: this.#joined })
    const reader = newRecordReader(input.file, scan, { ...this.#options, reuseBuffer: true })
    for await (const chunk of input.read({ ...this.#options, reuseBuffer: true })) {
      scan.setChunk(chunk)
      reader.read(chunk)
    }
    reader.flush()
    scan.end()
    return scan
  }

  /** Returns the source of the records in the index. */
  async #indexedSource(
    runs: readonly IndexRun[],
    inputs: readonly RepeatableInput[],
    scans: readonly InputScan[],
  ): Promise<RecordSource> {
    const joined: ByteRange = { bytes: this.#joined, start: 0, end: this.#joined.size }
    const ranges: ByteRange[] = []
    for (const [number, input] of inputs.entries()) {
      const isIndexed = scans[number]!.orderedCount !== undefined
      ranges.push(isIndexed ? await input.range() : noBytes, joined)
    }
    const cache = new BlockCache(ranges)
    const parsers = inputs.map((input) => new RecordParser(input.file, cache, this.#readerOf(input)))
    return new IndexedSource(runs, parsers)
  }

  #readerOf({ file }: RepeatableInput): (sink: RecordSink) => RecordReader {
    return (sink) => newRecordReader(file, sink, this.#options)
  }
}
