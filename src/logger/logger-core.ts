import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { SpanContext } from '../record/span.ts'
import type { CaptureRecords } from '../handler/record-capture.ts'
import type { Counters } from '../pipeline/counters.ts'
import type { ContextAttributes } from './bound.ts'
import type { ChildAdapter } from './child-adapter.ts'
import type { Levels } from './levels.ts'
import type { FlushOptions, FlushResult, Stats } from './types.ts'

/** The state and functions that a root logger shares with all its children. Injected by the composition root. */
export interface LoggerCore {
  readonly levels: Levels
  /** The counters of its exporters, in which a record that never reached a handler is counted. */
  readonly allCounters: readonly Counters[]
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number
  /** Returns the active span; undefined if records carry no trace. */
  readonly activeSpan: (() => SpanContext | undefined) | undefined
  /** Returns the span of an OpenTelemetry context. */
  readonly spanIn: (context: object) => SpanContext | undefined
  /** Returns the current attributes of `withContext`. */
  readonly context: () => ContextAttributes | undefined
  readonly childAdapter: ChildAdapter
  readonly reportDiagnostic: OnDiagnostic
  /** Redirects its records to a test; undefined for a logger with a LoggerProvider, which receives the records. */
  readonly captureRecords: CaptureRecords | undefined
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(deadlineMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}
