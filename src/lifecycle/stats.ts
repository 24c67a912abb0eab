import type { ExporterStats, Stats } from '../logger/types.ts'
import type { BatchProcessor } from '../pipeline/batch-processor.ts'
import { dropReasons, type Counters, type DropReason, type DeliveryStats } from '../pipeline/counters.ts'
import { standardLevels, type StandardLevel } from '../record/severity.ts'

/** What is known of one way out. */
export interface Counted {
  readonly name: string
  readonly counters: Counters
  /** undefined where records wait nowhere. */
  readonly processor: BatchProcessor | undefined
}

/** The ledger of a family: that of each way out, and their sums. */
export function statsOf(outlets: readonly Counted[]): Stats {
  const exporters = outlets.map(({ name, counters, processor }): ExporterStats => {
    const { emitted, accepted, filtered, maybeDuplicated, lastProblem } = counters
    return {
      name,
      emitted,
      accepted,
      filtered,
      maybeDuplicated,
      ...(lastProblem === undefined ? {} : { lastProblem }),
      inFlight: processor?.inFlight ?? 0,
      capacity: processor?.maxQueueSize ?? Infinity,
      exports: processor?.exports.count ?? 0,
      exportMillis: processor?.exports.millis ?? 0,
      ...counters.stats(processor?.queuedBytes ?? 0),
    }
  })
  const sum = (count: (ledger: DeliveryStats) => number) =>
    exporters.reduce((total, ledger) => total + count(ledger), 0)
  return {
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
    exporters,
  }
}

function sums<K extends string>(names: readonly K[], count: (name: K) => number): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<K, number>
}
