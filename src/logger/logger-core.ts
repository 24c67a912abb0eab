import type { OnDiagnostic } from '../options/configuration-error.ts'
import type { LevelReporter } from '../levels/level-reporters.ts'
import type { SpanContext } from '../record/span.ts'
import type { CaptureRecords } from '../handler/record-capture.ts'
import type { Counters } from '../pipeline/counters.ts'
import type { ContextAttributes } from './context-attributes.ts'
import type { ChildAdapter } from './child-adapter.ts'
import type { Levels } from './levels.ts'
import type { FlushOptions, FlushResult, Stats } from './types.ts'

/** The state and functions that a root logger shares with all its children. Injected by the composition root. */
export interface LoggerCoreState {
  readonly levels: Levels
  /** The severities that the flight recorder holds; undefined without one. Then the first handlers of loggers have no `hold`. */
  readonly recorder: RecordedSeverities | undefined
  /** The counters of the exporters. A record that could not be passed to a handler is counted in all of them. */
  readonly allCounters: readonly Counters[]
  /** Returns milliseconds since the Unix epoch. */
  readonly clock: () => number
  /** Returns the active span; undefined if records carry no trace. */
  readonly activeSpan: (() => SpanContext | undefined) | undefined
  /** Returns the span of an OpenTelemetry context; undefined if it has none. */
  readonly spanIn: (otelContext: object) => SpanContext | undefined
  /** Returns the current attributes of `withContext`; undefined outside of it. */
  readonly contextAttributes: () => ContextAttributes | undefined
  /**
   * Returns the value of an entry of OpenTelemetry baggage; undefined without one.
   *
   * @param otelContext - the context of the logger; undefined for the active one
   */
  readonly baggageEntry: (key: string, otelContext: object | undefined) => string | undefined
  readonly childAdapter: ChildAdapter
  readonly reportDiagnostic: OnDiagnostic
  /** Writes changes of level directives. It is held here, because the process holds it weakly. */
  readonly levelReporter: LevelReporter
  /** Redirects the records to a test; undefined if they are emitted to a LoggerProvider instead of to exporters. */
  readonly captureRecords: CaptureRecords | undefined
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(timeoutMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}

/** The severities of records that the flight recorder holds if they are below the level of their logger. */
export interface RecordedSeverities {
  /** The lowest severity that is recorded. */
  readonly threshold: number
  /** The lowest severity that releases held records, and is not recorded. */
  readonly triggerThreshold: number
}

/** Returns whether the flight recorder holds a record of this severity that is below the level of its logger. */
export function isRecorded(recorder: RecordedSeverities | undefined, severity: number): boolean {
  return recorder !== undefined && severity >= recorder.threshold && severity < recorder.triggerThreshold
}
