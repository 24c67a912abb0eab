import type { Meter, MeterProvider, ObservableResult } from './meter.ts'

/** The counts of created records that are reported to one MeterProvider. */
interface CreatedCounts {
  /** Functions that return counts that can still change. */
  readonly openCounts: Set<() => number>
  /** The total of the counts that no longer change. */
  closedTotal: number
}

const countsByProvider = new WeakMap<MeterProvider, CreatedCounts>()

/**
 * Adds a count to the metric `otel.sdk.log.created`. The metric has no attributes, so all counts of one MeterProvider are
 * reported as one sum.
 *
 * @param countCreated - returns the number of records created so far
 * @returns a function to call when no more records will be created
 */
export function addCreatedCount(provider: MeterProvider, meter: Meter, countCreated: () => number): () => void {
  const existing = countsByProvider.get(provider)
  const counts = existing ?? { openCounts: new Set(), closedTotal: 0 }
  counts.openCounts.add(countCreated)
  if (existing === undefined) {
    countsByProvider.set(provider, counts)
    const description = 'The number of log records submitted to enabled loggers'
    meter.createObservableCounter('otel.sdk.log.created', { description, unit: '{log_record}' }).addCallback(observeSum)
  }
  return () => {
    if (counts.openCounts.delete(countCreated)) counts.closedTotal += countCreated()
  }

  function observeSum(result: ObservableResult): void {
    result.observe([...counts.openCounts].reduce((total, each) => total + each(), counts.closedTotal))
  }
}
