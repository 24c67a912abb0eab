import type { RetryOptions, RetryTiming } from './retry-options.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { exporterDescription, snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { spoolable } from '../spool/spoolable.ts'
import { Retrier } from './retrier.ts'

/** Implements `retry` for checked options and a given timing. */
export function withRetry(given: Exporter, options: RetryOptions, timing: RetryTiming): Exporter {
  const exporter = snapshotExporter(given)
  const retrier = new Retrier(exporter, options, timing)
  const retried = {
    ...exporterDescription(exporter),
    start: (host) => retrier.start(host),
    export: (batch, signal) => retrier.export(batch, signal),
    ...(exporter.exportSync === undefined
      ? {}
      : { exportSync: (batch, deadline, final) => retrier.exportSync(batch, deadline, final) }),
    abandon: () => retrier.abandon(),
    keepAlive: (alive) => retrier.keepAlive(alive),
    flush: async () => exporter.flush?.(),
    shutdown: () => retrier.shutdown(),
  } satisfies Exporter
  // With a spool, retries are delayed by the spool: a batch that waits here would block the spool from storing it.
  return spoolable(retried, () => ({ exporter, retry: options, problems: [] }))
}
