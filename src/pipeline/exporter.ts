import type { Encoding } from '../encode/encoding.ts'
import type { InstrumentationSource } from '../record/record.ts'

/** What a destination said of a batch. `accepted` counts whole records from the batch's front. */
export type ExportResult = Delivered & {
  /** How many of the accepted records it does not take after all, without saying which they are. Default: none. */
  readonly refused?: readonly RejectedRecords[]
  /** How many records of the batch may have arrived twice, because they were sent again without an answer. Default 0. */
  readonly maybeDuplicated?: number
  /** What the destination answered last, where it speaks HTTP. */
  readonly statusCode?: number
}

type Delivered =
  | { readonly status: 'accepted' }
  /** Not now: the records after the first `accepted` ones may be given again, not before `retryAfterMillis`. */
  | { readonly status: 'retryable'; readonly accepted: number; readonly retryAfterMillis?: number }
  /** Never: the records after the first `accepted` ones are lost for `reason`. */
  | {
      readonly status: 'rejected'
      readonly accepted: number
      readonly reason: 'rejected' | 'io_error' | 'retry_exhausted' | 'exit_deadline'
    }
  /** No answer: the records after the first `accepted` ones may have arrived. */
  | { readonly status: 'unknown'; readonly accepted: number }

/** Records that a destination will not take. */
export interface RejectedRecords {
  /** How many, 1 or more. */
  readonly records: number
  /** `too_large`: longer than the destination takes. `rejected`: for a reason of its own. */
  readonly reason: 'rejected' | 'too_large'
}

/** Neighbours in a batch that have one scope and one resource, by identity. */
export interface BatchSource extends InstrumentationSource {
  /** How many records, 1 or more. */
  readonly count: number
  /** How many bytes of the batch they are. */
  readonly byteLength: number
}

/** A cut piece of the queue, handed to an exporter. It stays valid until the exporter has answered. */
export interface EncodedBatch {
  /** How many records, 1 or more. */
  readonly count: number
  /** The length of `bytes()`. */
  readonly byteLength: number
  /** The records' bytes, one after the other. The buffer belongs to the queue: never keep it after answering. */
  bytes(): Uint8Array
  /** The same as text. */
  text(): string
  /** Each record by itself, in order. */
  records(): readonly { readonly text: string; readonly severity: number }[]
  /** How many whole records the first `byteCount` bytes hold. */
  recordsIn(byteCount: number): number
  /** The records from `from` up to `to`, as a batch that is valid as long as this one. */
  slice(from: number, to?: number): EncodedBatch
  /** Who speaks in it, in order. A format that says it with each record needs none of it. */
  sources(): readonly BatchSource[]
  /**
   * Only a batch of one very long record has it: the bytes in pieces of some 64 KiB, each made when it is asked for and
   * valid until the next one is, so that the record is never in memory whole and the event loop can turn between them.
   */
  pieces?(): Iterator<Uint8Array, void>
}

/** Delivery settings that every exporter takes. */
export interface Delivery {
  /** The least severe level this exporter takes. Default: whatever the logger lets through. */
  readonly level?: string
  /** The most records that may wait. Default: no bound for fd and file. */
  readonly maxQueueSize?: number
  /**
   * The most bytes that may wait, those in flight included; a character of the batch that is still open counts as one.
   * Default: 16 MiB; 4 MiB in the profile `lambda`, 1 MiB in `cli`.
   */
  readonly maxQueueBytes?: number
  /** The most records in one batch. Default: no bound but `batchBytes`. */
  readonly maxExportBatchSize?: number
  /**
   * How long a record may wait for its batch to fill, in ms. 0: until the end of the event-loop turn. Default: until the end of the
   * turn; in the profile `service`, once eight turns within a millisecond have exported, up to 1 ms for records below ERROR.
   */
  readonly scheduledDelayMillis?: number
  /**
   * How long an export may take, in ms; then its signal is aborted. If the exporter has no `exportSync` and does not answer within
   * another second, the batch counts as `unknown`. The next export waits for the answer all the same. Default: no limit.
   */
  readonly exportTimeoutMillis?: number
  /**
   * What to do when the bound is reached and the destination refuses. Default: `dropLowest`; `block` in the profiles `lambda`
   * and `cli`, where the exporter can.
   */
  readonly onFull?: OnFull
}

/**
 * What happens at the bound. `dropLowest`: above 80 % records below WARN are refused; when full, the least severe of the
 * waiting records give way to more severe ones, those of the oldest batch first. `dropNewest`: the record at hand.
 * `dropOldest`: the oldest waiting ones. `block`: the call waits for a destination that is slow, as long as that takes; not
 * for one that fails, and only with an exporter that has `exportSync`. What the exporter has never gives way.
 */
export type OnFull = 'dropLowest' | 'dropNewest' | 'dropOldest' | 'block'

/**
 * A destination. An instance serves one pipeline. The pipeline calls `export` with one batch at a time and never again
 * before the answer; `exportSync` may be called while an `export` is unanswered.
 */
export interface Exporter {
  /** Names the exporter in `stats()` and in problems, for example `fd:1`. */
  readonly name: string
  /**
   * How metrics call it: a type of the semantic conventions such as `otlp_http_log_exporter`, and whom it talks to. Default:
   * its name.
   */
  readonly component?: { readonly type: string; readonly serverAddress?: string; readonly serverPort?: number }
  /** How records are rendered for it. */
  readonly encoding: Encoding
  /**
   * When batches are exported: at the end of the event-loop turn (`turn`), in a microtask, in the log call (`sync`), or after
   * a delay in ms or when a batch is full. `whenBusy` limits the delay to processes in which many turns log: otherwise, and for
   * records of level ERROR or above, batches are exported at the end of the turn. Absent: the default of the logger's `profile`;
   * without a profile, at the end of the turn.
   */
  readonly schedule?:
    | 'turn'
    | 'microtask'
    | 'sync'
    | { readonly delayMillis: number; readonly whenBusy?: boolean }
    | undefined
  /** Bounds and policy, as the user gave them; the logger's `profile` says what they leave open. */
  readonly delivery: Delivery
  /**
   * Batches of several records are not longer, in bytes; of text that is not ASCII up to three times as long. Say here
   * what the destination takes at once. Default 69,632.
   */
  readonly batchBytes?: number
  /**
   * Exporters that name the same destination share one queue, so that their lines stay in order and whole: the same `key` or
   * the same `place`. `key`: what is written to, such as a file's `dev:ino`; asked whenever it matters, since it may change.
   * `place`: the name by which that is found, which stays. `options` are those that all must agree on. Absent: a queue of
   * its own.
   */
  readonly destination?: {
    readonly key: string
    readonly place?: string
    readonly options: Readonly<Record<string, unknown>>
  }
  /** Called once, before the first batch. */
  start?(host: ExporterHost): void
  /** Delivers a batch. Must not throw; what it throws counts as `rejected` with `io_error`. */
  export(batch: EncodedBatch, signal: AbortSignal | undefined): ExportResult | PromiseLike<ExportResult>
  /**
   * Delivers without the event loop, until `deadline` (of `host.monotonic`, ms; at or before now: only what does not
   * block). When `batch` is the one whose `export` is unanswered it goes on where that stands, and its answer replaces
   * the pending one; a `retryable` that is not `final` leaves a pending `export` pending, and without one the same batch
   * comes again unchanged. `accepted` counts from the batch's front, whatever was answered before. `final` says that the
   * process ends: an error is not worth waiting for.
   */
  exportSync?(batch: EncodedBatch, deadline: number, final: boolean): ExportResult
  /**
   * An answer can be there before the event loop brings it: in a long turn `exportSync` is asked for it, with a deadline that
   * is over, whenever another batch is full or due. It must cost little. Default false.
   */
  readonly supportsPolling?: boolean
  /**
   * Returns what is known about the batch whose `export` is unanswered, when the pipeline ends and does not wait for the answer
   * any longer. `retryable`: the records after the first `accepted` ones were not sent, so they count as dropped. Absent, or
   * when it throws: they count as `unknown`.
   */
  abandon?(): ExportResult
  /** Whether the event loop must stay alive for an unanswered export; called on every change. */
  keepAlive?(alive: boolean): void
  /** Makes what was accepted durable where the destination can (fsync). Must not reject. */
  flush?(): Promise<void>
  /**
   * Releases the destination, also of an exporter that was never started. Called by the logger's `shutdown()`, and when its last
   * logger is garbage collected without that. Must not reject, nor when it is called again.
   */
  shutdown?(): Promise<void>
}

/** What a pipeline gives its exporter. */
export interface ExporterHost {
  /** Tells trouble: to `onDiagnostic`, else stderr, rate-limited by code. */
  reportDiagnostic(code: string, message: string): void
  /** Monotonic time in ms. */
  monotonic(): number
  /** How long the process may wait for this exporter at exit, in ms. */
  readonly exitTimeoutMillis: number
}
