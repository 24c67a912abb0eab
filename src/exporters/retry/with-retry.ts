import type { RetryOptions, RetryTiming } from './retry-options.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { exporterDescription, snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { setSpoolTarget } from '../spool/spool-target.ts'
import { Retrier } from './retrier.ts'

/** Implements `retry` for checked options and a given timing. */
export function withRetry(originalExporter: Exporter, options: RetryOptions, timing: RetryTiming): Exporter {
  const exporter = snapshotExporter(originalExporter)
  const retrier = new Retrier(exporter, options, timing)
  const retryingExporter = {
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
  // A spool uses `exporter` directly and retries with `options` itself, because it cannot store a batch that waits in a `Retrier`.
  return setSpoolTarget(retryingExporter, () => ({ exporter, retry: options, problems: [] }))
}
