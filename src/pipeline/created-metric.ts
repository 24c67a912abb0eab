import type { Meter, MeterProvider, ObservableResult } from './meter.ts'

/** The counts of created records that are reported to one MeterProvider. */
interface Created {
  readonly open: Set<() => number>
  /** The total of the counts that were removed. */
  closed: number
}

const byProvider = new WeakMap<MeterProvider, Created>()

/**
 * Adds a count to the metric `otel.sdk.log.created`. The metric has no attributes, so all counts of one MeterProvider are
 * reported as one sum.
 *
 * @param count - returns the number of records created so far
 * @returns a function to call when no more records will be created
 */
export function addCreatedCount(provider: MeterProvider, meter: Meter, count: () => number): () => void {
  const existing = byProvider.get(provider)
  const created = existing ?? { open: new Set(), closed: 0 }
  created.open.add(count)
  if (existing === undefined) {
    byProvider.set(provider, created)
    const description = 'The number of log records submitted to enabled loggers'
    meter.createObservableCounter('otel.sdk.log.created', { description, unit: '{log_record}' }).addCallback(sum)
  }
  return () => {
    if (created.open.delete(count)) created.closed += count()
  }

  function sum(result: ObservableResult): void {
    result.observe([...created.open].reduce((total, each) => total + each(), created.closed))
  }
}
