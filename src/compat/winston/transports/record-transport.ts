import type { EmitRecord } from '../../../logger/emit.ts'
import type { FlushOptions, FlushResult, Stats } from '../../../logger/types.ts'
import { fillFromInfo } from '../info-record.ts'
import { LEVEL, textOf, type TransformableInfo } from '../info.ts'
import { severityOfLevel } from '../levels.ts'
import { callWhenSettled, Transport, type Next, type TransportOptions } from './transport.ts'

/** The pipeline that a record transport emits records to. */
export interface RecordPipeline {
  /** Emits a record that a function fills. */
  readonly emit: EmitRecord
  /** Flush, shutdown and statistics of the exporters that write the records. */
  readonly core: {
    flush(options: FlushOptions | undefined): Promise<FlushResult>
    flushSync(timeoutMillis: number | undefined): FlushResult
    shutdown(options: FlushOptions | undefined): Promise<FlushResult>
    stats(): Stats
  }
}

/** A transport that converts infos to OpenTelemetry log records for the exporters of this package. */
export class RecordTransport extends Transport {
  private readonly pipeline: RecordPipeline
  /** Whether the option `redact` is set. Without it, only credential headers and passwords in URLs are redacted. */
  private readonly hasCustomRules: boolean
  /** The user's severity numbers by level. Other levels get the number of `severityOfLevel`. */
  private readonly severities: Readonly<Record<string, number>>

  constructor(
    options: TransportOptions,
    severities: Readonly<Record<string, number>>,
    pipeline: RecordPipeline,
    hasCustomRules = false,
  ) {
    super({ name: 'sluice', ...options })
    this.pipeline = pipeline
    this.severities = severities
    this.hasCustomRules = hasCustomRules
  }

  /** Emits the record to the exporters, and calls `next` synchronously. */
  override log(info: TransformableInfo, next: Next): void {
    const level = textOf(info[LEVEL] ?? info.level)
    const severity = Object.hasOwn(this.severities, level)
      ? this.severities[level]!
      : severityOfLevel(level, this.levels)
    this.pipeline.emit(severity, level, (record) => fillFromInfo(record, info, this.hasCustomRules))
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info))
    // The record is queued, or counted as dropped. If winston's pipe waited here, it would block all transports.
    next()
  }

  /** Waits until everything logged so far is written. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult> {
    return this.pipeline.core.flush(options)
  }

  /**
   * Writes everything logged so far without the event loop.
   *
   * @param timeoutMillis - maximum time in milliseconds
   */
  flushSync(timeoutMillis?: number): FlushResult {
    return this.pipeline.core.flushSync(timeoutMillis)
  }

  /** Returns the delivery statistics of the records. */
  stats(): Stats {
    return this.pipeline.core.stats()
  }

  /** Flushes without closing the queue: the logger may add the transport again, and the queue is flushed when the process exits. */
  override close(): void {
    void this.flush()
  }

  /** Implements `Writable`. */
  override _final(done: (error?: Error | null) => void): void {
    void callWhenSettled(this.pipeline.core.shutdown(undefined), done)
  }
}
