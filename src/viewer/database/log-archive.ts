import { HttpError } from '../server/http-error.ts'
import type { LogStore } from '../store/log-store.ts'
import type { RecordArchive } from '../store/record-archive.ts'
import type { SpanSink, SpanStore, StoredSpan } from '../store/span-store.ts'
import type { RecordSource } from '../otlp/otlp-record.ts'
import { DatabaseError } from './database-error.ts'
import { loadNewest } from './load-newest.ts'
import type { LogDatabase, PendingSpan } from './log-database.ts'
import { BlockBuffer, type PendingBlock } from './record-block.ts'
import { SavedRanges, type NumberRange } from './saved-ranges.ts'

/** How long records of lines wait for others, in ms. */
const waitMillis = 50
/** How long nothing must arrive before records are indexed, in ms. */
const idleMillis = 300
/** How long records are indexed before other work of the process continues, in ms. */
const sliceMillis = 10

/** No records, after all others. */
const notLoading: NumberRange = { first: Number.MAX_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }

/** The state of a database for the page. */
export interface ArchiveState {
  readonly file: string
  /** The number of records in the file. */
  readonly size: number
  /** The number of records that are only in the file, because they are too old for the memory. */
  readonly older: number
  /** Whether records of the file are still being read. */
  readonly isLoading: boolean
  readonly hasIndex: boolean
  /** The number of records that could not be saved. */
  readonly unsaved: number
  /** The number of requests that were refused, because they could not be saved. */
  readonly refused: number
  /** The number of records that were removed from memory and are not in the file, such as those of files. */
  readonly evicted: number
  /** The number of records that were deleted from the file because of its maximum size. */
  readonly deletedFromFile: number
  /** The last error of the file; null if the last records were saved. */
  readonly error: string | null
}

/** Saves the records and spans of the stores in a database, and reads them again when it is opened. */
export class LogArchive implements RecordArchive, SpanSink {
  readonly database: LogDatabase
  private readonly logs: LogStore
  private readonly spans: SpanStore
  private readonly buffer = new BlockBuffer()
  private readonly ranges = new SavedRanges()
  private blocks: PendingBlock[] = []
  private pendingSpans: PendingSpan[] = []
  private isSaving = false
  /** The records that are being loaded. */
  private loading = notLoading
  private unsaved = 0
  private refused = 0
  private error: string | null = null
  private writeTimer: NodeJS.Timeout | undefined
  private indexTimer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(database: LogDatabase, logs: LogStore, spans: SpanStore) {
    this.database = database
    this.logs = logs
    this.spans = spans
    logs.archive = this
    this.indexLater()
  }

  get state(): ArchiveState {
    const { database, unsaved, refused, error } = this
    return {
      file: database.file,
      size: database.size,
      older: this.older,
      isLoading: this.loading !== notLoading,
      hasIndex: database.index !== undefined,
      unsaved,
      refused,
      evicted: this.evicted,
      // Records are numbered from 0.
      deletedFromFile: database.firstNumber,
      error,
    }
  }

  private get evicted(): number {
    const { firstSequence } = this.logs
    return firstSequence - this.ranges.countBefore(firstSequence)
  }

  /** The records of the file that are not in memory, and will not be loaded, in ascending order. */
  get missing(): readonly NumberRange[] {
    const { database, logs, loading } = this
    const missing = this.ranges.missing(logs.firstSequence, { first: database.firstNumber, end: database.nextNumber })
    // Those that are loaded are the newest that the file had before.
    return missing
      .flatMap(({ first, end }) => [
        { first, end: Math.min(end, loading.first) },
        { first: Math.max(first, loading.end), end },
      ])
      .filter(({ first, end }) => end > first)
  }

  private get older(): number {
    const { database, logs, loading } = this
    const inMemory = this.ranges.countInMemory(logs.firstSequence, database.firstNumber)
    const toLoad = Math.max(0, loading.end - Math.max(loading.first, database.firstNumber))
    return database.size - inMemory - toLoad
  }

  /**
   * Reads the newest records and spans of the file into memory. Other work continues meanwhile.
   *
   * @throws the error of SQLite or of the file system, if they cannot be read.
   */
  async load(): Promise<void> {
    try {
      for (const { traceId, span } of this.database.newestSpans(this.spans.maxSpans)) this.spans.add(traceId, span)
      const end = this.database.nextNumber
      await loadNewest(this.database, this.logs, {
        start: (number) => (this.loading = { first: number, end }),
        block: (sequence, number, count) => this.ranges.add(sequence, number, count, this.logs.firstSequence),
        isStopped: () => this.isClosed,
      })
    } catch (error) {
      this.error = messageOf(error)
      throw error
    } finally {
      this.loading = notLoading
    }
  }

  /**
   * Adds the telemetry of a request, and saves it before it returns.
   *
   * @throws HttpError if it could not be saved. Nothing was added then.
   */
  save<T>(add: () => T): T {
    this.writeLines()
    const { nextSequence } = this.logs
    this.isSaving = true
    try {
      return add()
    } finally {
      this.isSaving = false
      this.writeRequest(nextSequence)
    }
  }

  addRecord(sequence: number, message: Uint8Array, source: RecordSource, sourceKey: string, now: number): void {
    if (!this.buffer.accepts(sequence, message.length, source)) {
      this.blocks.push(this.buffer.take())
      if (!this.isSaving) this.writeLines()
    }
    this.buffer.add(sequence, message, source, sourceKey, now)
    if (!this.isSaving) this.writeTimer ??= setTimeout(() => this.writeLines(), waitMillis)
  }

  /** Adds a span to the current request. It is shown when it was saved. */
  add(traceId: string, span: StoredSpan): void {
    this.pendingSpans.push({ traceId, span })
  }

  /** Saves the pending records, and closes the file. */
  close(): void {
    if (this.isClosed) return
    this.writeLines()
    this.isClosed = true
    this.logs.archive = undefined
    clearTimeout(this.writeTimer)
    clearTimeout(this.indexTimer)
    this.database.close()
  }

  private writeRequest(firstSequence: number): void {
    try {
      this.write()
    } catch (error) {
      this.logs.removeFrom(firstSequence)
      this.refused++
      throw new HttpError(503, error instanceof DatabaseError ? error.message : 'the records could not be saved')
    }
  }

  /** Saves records that no request waits for. Those that cannot be saved stay in memory, and are counted. */
  private writeLines(): void {
    clearTimeout(this.writeTimer)
    this.writeTimer = undefined
    const count = this.buffer.count + this.blocks.reduce((sum, { ends }) => sum + ends.length, 0)
    if (count === 0) return
    try {
      this.write()
    } catch {
      this.unsaved += count
    }
  }

  private write(): void {
    if (this.buffer.count > 0) this.blocks.push(this.buffer.take())
    const { blocks, pendingSpans, database } = this
    this.blocks = []
    this.pendingSpans = []
    if (blocks.length === 0 && pendingSpans.length === 0) return
    let number = database.nextNumber
    try {
      database.write(blocks, pendingSpans)
      this.error = null
    } catch (error) {
      this.error = messageOf(error)
      throw error
    }
    for (const { sequence, ends } of blocks) {
      this.ranges.add(sequence, number, ends.length, this.logs.firstSequence)
      number += ends.length
    }
    for (const { traceId, span } of pendingSpans) this.spans.add(traceId, span)
    this.indexLater()
  }

  private indexLater(millis = idleMillis): void {
    if (this.database.index === undefined || this.isClosed) return
    clearTimeout(this.indexTimer)
    this.indexTimer = setTimeout(() => this.index(), millis).unref()
  }

  private index(): void {
    const end = performance.now() + sliceMillis
    if (this.database.indexUntil(() => performance.now() > end)) this.indexLater(sliceMillis)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
