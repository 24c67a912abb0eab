import type { Meter, MeterProvider, ObservableResult } from './meter.ts'

/** Who has records that were created, as far as one MeterProvider is told. */
interface Created {
  readonly open: Set<() => number>
  /** Those of who is gone. */
  closed: number
}

const byProvider = new WeakMap<MeterProvider, Created>()

/**
 * `otel.sdk.log.created`: it has no attributes, so all who tell it to one MeterProvider are one sum.
 *
 * @param count - how many records were created so far
 * @returns to be called when no more will be
 */
export function createdBy(provider: MeterProvider, meter: Meter, count: () => number): () => void {
  const known = byProvider.get(provider)
  const created = known ?? { open: new Set(), closed: 0 }
  created.open.add(count)
  if (known === undefined) {
    byProvider.set(provider, created)
    const description = 'Records that were submitted to enabled loggers'
    meter.createObservableCounter('otel.sdk.log.created', { description, unit: '{log_record}' }).addCallback(sum)
  }
  return () => {
    if (created.open.delete(count)) created.closed += count()
  }

  function sum(result: ObservableResult): void {
    result.observe([...created.open].reduce((total, each) => total + each(), created.closed))
  }
}
