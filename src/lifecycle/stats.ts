import type { ExporterStats, Stats } from '../logger/types.ts'
import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { dropReasons, type Counters, type DropReason, type DeliveryStats } from '../pipeline/counters.ts'
import { standardLevels, type StandardLevel } from '../record/severity.ts'

/** The sources of the statistics of one exporter. */
export interface CountedPipeline {
  readonly name: string
  readonly counters: Counters
  /** Undefined if records are passed on without a queue, such as to a LoggerProvider. */
  readonly processor: BatchProcessor | undefined
}

/** Returns the delivery statistics of a root logger and its children: those of each exporter, and their sums. */
export function statsOf(pipelines: readonly CountedPipeline[]): Stats {
  const exporters = pipelines.map(({ name, counters, processor }): ExporterStats => {
    const { emitted, accepted, filtered, recorded, released, expired, maybeDuplicated, lastDiagnostic } = counters
    return {
      name,
      emitted,
      accepted,
      filtered,
      recorded,
      released,
      expired,
      maybeDuplicated,
      ...(lastDiagnostic === undefined ? {} : { lastProblem: lastDiagnostic }),
      inFlight: processor?.inFlight ?? 0,
      capacity: processor?.maxQueueSize ?? Infinity,
      exports: processor?.completedExports.count ?? 0,
      exportMillis: processor?.completedExports.millis ?? 0,
      ...counters.stats(processor?.queuedBytes ?? 0),
    }
  })
  const sum = (count: (stats: DeliveryStats) => number) => exporters.reduce((total, stats) => total + count(stats), 0)
  return {
    // Each exporter counts every emitted record, so these numbers are not added.
    emitted: Math.max(0, ...exporters.map(({ emitted }) => emitted)),
    written: sum(({ written }) => written),
    queued: sum(({ queued }) => queued),
    queuedBytes: sum(({ queuedBytes }) => queuedBytes),
    unknown: sum(({ unknown }) => unknown),
    truncated: sum(({ truncated }) => truncated),
    dropped: {
      total: sum(({ dropped: { total } }) => total),
      byReason: sums(dropReasons, (reason: DropReason) => sum(({ dropped }) => dropped.byReason[reason])),
      byLevel: sums(standardLevels, (level: StandardLevel) => sum(({ dropped }) => dropped.byLevel[level])),
    },
    filteredByReason: {},
    exporters,
  }
}

function sums<K extends string>(names: readonly K[], count: (name: K) => number): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<K, number>
}
