import type { EmitRecord } from '../../../logger/emit.ts'
import type { FlushOptions, FlushResult, Stats } from '../../../logger/types.ts'
import { fillRecord } from '../info-record.ts'
import { LEVEL, textOf, type TransformableInfo } from '../info.ts'
import { severityOfLevel } from '../levels.ts'
import { doneAfter, Transport, type Next, type TransportOptions } from './transport.ts'

/** What a record transport hands records to. */
export interface RecordPipeline {
  /** Makes a record of what a function fills in. */
  readonly emit: EmitRecord
  /** The loggers whose exporters write the records. */
  readonly core: {
    flush(options: FlushOptions | undefined): Promise<FlushResult>
    flushSync(deadlineMillis: number | undefined): FlushResult
    shutdown(options: FlushOptions | undefined): Promise<FlushResult>
    stats(): Stats
  }
}

/** A transport that makes OpenTelemetry LogRecords of infos, for the exporters of this package. */
export class RecordTransport extends Transport {
  private readonly pipeline: RecordPipeline
  private readonly redacts: boolean
  private readonly severities: Readonly<Record<string, number>>

  constructor(
    options: TransportOptions,
    severities: Readonly<Record<string, number>>,
    pipeline: RecordPipeline,
    redacts = false,
  ) {
    super({ name: 'sluice', ...options })
    this.pipeline = pipeline
    this.severities = severities
    this.redacts = redacts
  }

  /** Hands the record to the exporters, and calls `next` at once. */
  override log(info: TransformableInfo, next: Next): void {
    const level = textOf(info[LEVEL] ?? info.level)
    const severity = Object.hasOwn(this.severities, level)
      ? this.severities[level]!
      : severityOfLevel(level, this.levels)
    this.pipeline.emit(severity, level, (record) => fillRecord(record, info, this.redacts))
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info))
    // The queue has it, or has counted it: a pipe that waited would stop winston for all its transports.
    next()
  }

  /** Waits until what was logged so far is written. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult> {
    return this.pipeline.core.flush(options)
  }

  /** The same without the event loop, at most so long. */
  flushSync(deadlineMillis?: number): FlushResult {
    return this.pipeline.core.flushSync(deadlineMillis)
  }

  /** What became of the records. */
  stats(): Stats {
    return this.pipeline.core.stats()
  }

  /** The queue stays: its logger may take it back, and the end of the process empties it. */
  override close(): void {
    void this.flush()
  }

  /** Node's own. */
  override _final(done: (error?: Error | null) => void): void {
    void doneAfter(this.pipeline.core.shutdown(undefined), done)
  }
}
