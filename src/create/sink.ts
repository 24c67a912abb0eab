import type { PipelineTarget } from '../handler/encoding-handler.ts'
import type { CaptureRecords } from '../handler/record-capture.ts'
import type { RecordHandler } from '../handler/record-handler.ts'
import type { LoggerDelivery } from '../lifecycle/logger-delivery.ts'
import type { Counters } from '../pipeline/counters.ts'

/** What receives the records of a logger last: its exporters, or a LoggerProvider. */
export interface Sink {
  readonly handler: RecordHandler
  readonly allCounters: readonly Counters[]
  readonly delivery: LoggerDelivery
  /** Redirects the records to a test; undefined if the sink does not support it. */
  readonly captureRecords: CaptureRecords | undefined
  /** The exporters of the records; undefined for a LoggerProvider. */
  readonly targets: readonly PipelineTarget[] | undefined
}
