import type { Encoding } from '../encode/encoding.ts'
import type { InstrumentationSource } from '../record/instrumentation-source.ts'

/** The result of an export. `accepted` is the number of complete records accepted, counted from the start of the batch. */
export type ExportResult = ExportStatus & {
  /**
   * Records that `accepted` includes although the destination rejected them, without identifying them. They count as dropped.
   *
   * @defaultValue none
   */
  readonly refused?: readonly RejectedRecords[]
  /**
   * The number of records that may have arrived twice, because they were sent again after no response.
   *
   * @defaultValue 0
   */
  readonly maybeDuplicated?: number
  /** The status code of the last response, if the destination uses HTTP. */
  readonly statusCode?: number
}

type ExportStatus =
  | { readonly status: 'accepted' }
  /**
   * Temporary failure: the records after the first `accepted` ones can be exported again, after `retryAfterMillis` at the
   * earliest.
   */
  | { readonly status: 'retryable'; readonly accepted: number; readonly retryAfterMillis?: number }
  /** Permanent failure: the records after the first `accepted` ones are lost, with `reason`. */
  | {
      readonly status: 'rejected'
      readonly accepted: number
      readonly reason: 'rejected' | 'io_error' | 'retry_exhausted' | 'exit_deadline'
    }
  /** No response: the records after the first `accepted` ones may have arrived. */
  | { readonly status: 'unknown'; readonly accepted: number }

/** Records that the destination rejected. */
export interface RejectedRecords {
  /** The number of records, 1 or more. */
  readonly records: number
  /** `too_large`: longer than the destination accepts. `rejected`: any other reason of the destination. */
  readonly reason: 'rejected' | 'too_large'
}

/** Consecutive records of a batch that have the same scope and the same resource, compared by identity. */
export interface BatchSource extends InstrumentationSource {
  /** The number of records, 1 or more. */
  readonly count: number
  /** The size of these records in bytes. */
  readonly byteLength: number
}

/** A batch of encoded records. It is valid until the exporter returns its result or its promise settles. */
export interface EncodedBatch {
  /** The number of records, 1 or more. */
  readonly count: number
  /** The length of `bytes()`. */
  readonly byteLength: number
  /**
   * Returns the bytes of all records, concatenated. The buffer belongs to the queue: do not keep it after the export has
   * completed.
   */
  bytes(): Uint8Array
  /** Returns the same as text. */
  text(): string
  /** Returns each record with its severity number, in order. */
  records(): readonly { readonly text: string; readonly severity: number }[]
  /** Returns how many complete records the first `byteCount` bytes contain. */
  recordsIn(byteCount: number): number
  /** Returns the records from index `from` up to, but not including, `to` as a batch, which is valid as long as this one. */
  slice(from: number, to?: number): EncodedBatch
  /** Returns the scopes and resources of the batch in order, for encodings that do not write them in each record. */
  sources(): readonly BatchSource[]
  /**
   * Returns the bytes in pieces of about 64 KiB. Only a batch of one very long record has this method. Each piece is created when
   * it is requested and is valid until the next one is, so that the whole record is never in memory and the event loop can run
   * between pieces.
   */
  pieces?(): Iterator<Uint8Array, void>
}

/** Delivery options of every exporter. */
export interface Delivery {
  /**
   * The least severe level that is exported.
   *
   * @defaultValue every record that the logger logs
   */
  readonly level?: string
  /**
   * The maximum number of queued records.
   *
   * @defaultValue no limit for file descriptors and files
   */
  readonly maxQueueSize?: number
  /**
   * The maximum size of the queue in bytes, including records in flight. In the batch that is still open, each UTF-16 unit counts as
   * one byte.
   *
   * @defaultValue 16 MiB; 4 MiB in the profile `lambda`, 1 MiB in `cli`
   */
  readonly maxQueueBytes?: number
  /**
   * The maximum number of records in a batch.
   *
   * @defaultValue no limit other than `batchBytes`
   */
  readonly maxExportBatchSize?: number
  /**
   * How long a record may wait for its batch to fill, in ms. With 0, it waits until the end of the event-loop turn.
   *
   * @defaultValue the end of the turn; in the profile `service`, up to 1 ms for records below ERROR once eight turns within a
   * millisecond have exported
   */
  readonly scheduledDelayMillis?: number
  /**
   * The timeout of an export in ms. After it, the signal passed to `export` is aborted. If the exporter has no `exportSync` and
   * does not complete within another second, the batch counts as `unknown`; the next export still waits until it completes.
   *
   * @defaultValue no limit
   */
  readonly exportTimeoutMillis?: number
  /**
   * What happens when the queue is full and the destination accepts nothing.
   *
   * @defaultValue `dropLowest`; `block` for `pretty` records that `fdExporter` writes to a terminal in the log call, and in the profiles
   *   `lambda` and `cli` for exporters with `exportSync`
   */
  readonly onFull?: OnFull
}

/**
 * The overflow policy of a queue. Records in flight are never evicted.
 *
 * - `dropLowest`: drops records below WARN when the queue is more than 80 % full. When it is full, the least severe queued
 *   records are evicted for more severe ones, those of the oldest batch first.
 * - `dropNewest`: drops the new record.
 * - `dropOldest`: evicts the oldest queued records.
 * - `block`: the log call waits for a slow destination without a time limit, but not for one that fails. Requires an exporter
 *   with `exportSync`.
 */
export type OnFull = 'dropLowest' | 'dropNewest' | 'dropOldest' | 'block'

/**
 * A destination of records. An instance serves one pipeline. The pipeline exports one batch at a time and does not call `export`
 * again before the previous export has completed; `exportSync` may be called while an `export` is pending.
 */
export interface Exporter {
  /** The exporter's name in `stats()` and in diagnostics, for example `fd:1`. */
  readonly name: string
  /**
   * The component in metrics: a type of the semantic conventions, such as `otlp_http_log_exporter`, and the server that it sends
   * to.
   *
   * @defaultValue the exporter's name
   */
  readonly component?: { readonly type: string; readonly serverAddress?: string; readonly serverPort?: number }
  /** How records are encoded for this exporter. */
  readonly encoding: Encoding
  /**
   * When batches are exported: at the end of the event-loop turn (`turn`), in a microtask (`microtask`), in the log call
   * (`sync`), or after a delay in ms or when a batch is full. `whenBusy` limits the delay to processes in which many turns log:
   * otherwise, and for records of level ERROR or above, batches are exported at the end of the turn.
   *
   * @defaultValue the default of the logger's `profile`; without a profile, the end of the turn
   */
  readonly schedule?:
    | 'turn'
    | 'microtask'
    | 'sync'
    | { readonly delayMillis: number; readonly whenBusy?: boolean }
    | undefined
  /** The delivery options that the user has set. The logger's `profile` sets defaults for the others. */
  readonly delivery: Delivery
  /**
   * The maximum size of a batch of several records, in bytes; text that is not ASCII can be up to three times as long. Set it to
   * the size that the destination accepts at once.
   *
   * @defaultValue 69,632
   */
  readonly batchBytes?: number
  /**
   * The identity of the destination. Exporters with the same destination, that is, the same `key` or the same `place`, share one
   * queue, so that their lines stay complete and in order. `key` identifies what is written to, such as a file's `dev:ino`; it is
   * read again for each comparison, because it can change. `place` is the name by which it is found, which does not change. All
   * exporters of a destination must have the same `options`. Without a `destination`, the exporter has its own queue.
   */
  readonly destination?: {
    readonly key: string
    readonly place?: string
    readonly options: Readonly<Record<string, unknown>>
  }
  /** Called once, before the first batch. */
  start?(host: ExporterHost): void
  /** Exports a batch. Must not throw or reject; a batch whose export does counts as `rejected` with `io_error`. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | PromiseLike<ExportResult>
  /**
   * Exports a batch without the event loop. For the batch of a pending `export` it continues where that export is, and its result
   * replaces the pending one. A `retryable` result of a call that is not `final` leaves a pending `export` pending; without one,
   * the same batch is exported again unchanged. `accepted` counts from the start of the batch, whatever was returned before.
   *
   * @param deadline - in ms of `host.monotonic()`; if it is not in the future, only what does not block is done
   * @param final - whether this is the last attempt, because the process exits or the pipeline is closed, so that waiting after an error is
   * useless
   */
  exportSync?(batch: EncodedBatch, deadline: number, final: boolean): ExportResult
  /**
   * Whether a result can be available before the event loop delivers it. During a long turn, `exportSync` is then called with a
   * past deadline whenever another batch is full or due, so the call must be cheap.
   *
   * @defaultValue false
   */
  readonly supportsPolling?: boolean
  /**
   * Returns the result so far of the batch whose `export` is pending, when the pipeline is closed and no longer waits for it.
   * `retryable`: the records after the first `accepted` ones were not sent, so they count as dropped. Without this method, or if
   * it throws, the batch counts as `unknown`.
   */
  abandon?(): ExportResult
  /** Sets whether the event loop must stay alive for a pending export. Called on every change. */
  keepAlive?(alive: boolean): void
  /** Makes accepted records durable if the destination supports it (fsync). Must not reject. */
  flush?(): Promise<void>
  /**
   * Closes the destination, also for an exporter that was never started. Called by the logger's `shutdown()`, and when its last
   * logger is garbage collected without that. Must not reject, even if it is called again.
   */
  shutdown?(): Promise<void>
}

/** The services that a pipeline provides to its exporter. */
export interface ExporterHost {
  /** Reports a diagnostic: to `onDiagnostic`, or else to stderr, rate-limited by code. */
  reportDiagnostic(code: string, message: string): void
  /** Returns the monotonic time in ms. */
  monotonic(): number
  /** How long the exporter may delay the exit of the process, in ms. */
  readonly exitTimeoutMillis: number
}
