import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { SpanContext } from '../record/span.ts'
import type { CaptureRecords } from '../handler/record-capture.ts'
import type { Counters } from '../pipeline/counters.ts'
import type { ContextAttributes } from './bound.ts'
import type { Levels } from './levels.ts'
import type { FlushOptions, FlushResult, Stats } from './types.ts'

/** What a root logger and all its children have in common. Handed in by the composition root. */
export interface LoggerCore {
  readonly levels: Levels
  /** The accounts of its exporters: where a record that never reached a handler is counted. */
  readonly allCounters: readonly Counters[]
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number
  /** The active span; undefined where records carry no trace. */
  readonly activeSpan: (() => SpanContext | undefined) | undefined
  /** The span of an OpenTelemetry context. */
  readonly spanIn: (context: object) => SpanContext | undefined
  /** What `withContext` says at the moment. */
  readonly context: () => ContextAttributes | undefined
  readonly reportDiagnostic: OnDiagnostic
  /** Leads its records elsewhere; undefined in front of a provider, where somebody else has them. */
  readonly captureRecords: CaptureRecords | undefined
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(deadlineMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}
