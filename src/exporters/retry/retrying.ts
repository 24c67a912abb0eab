import type { Delay } from '../../lifecycle/platform.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { integer, type Check } from '../../options/option-checks.ts'
import { spoolable } from '../spool/spoolable.ts'
import { Retrier } from './retrier.ts'

/** How long and how often a batch is tried. */
export interface RetryOptions {
  /** The wait after the first failure, in ms; it doubles from failure to failure. Also the shortest wait. Default 1,000. */
  readonly initialDelayMillis?: number
  /** The longest wait, in ms, unless the destination asks for a longer one. Default 10,000. */
  readonly maxDelayMillis?: number
  /**
   * How long after its first try a batch is tried again, in ms; the last try is at the end of it. Then its records are
   * `retry_exhausted`, or `unknown` where they may have arrived. 0: never again. Infinity: as long as it takes. Default
   * 120,000: a collector that is restarted or replaced loses nothing, while the queue, which is bounded, fills.
   */
  readonly maxElapsedMillis?: number
}

/** What makes time pass; tests bring their own. */
export interface RetryTiming {
  delay(millis: number, callback: () => void): Delay
  /** From 0 to 1. */
  random(): number
}

/** The checks of `RetryOptions`. */
export const retrySchema: Readonly<Record<keyof RetryOptions, Check>> = {
  initialDelayMillis: integer(1, 2_147_483_647),
  maxDelayMillis: integer(1, 2_147_483_647),
  maxElapsedMillis: integer(0),
}

/** `retry` with options that were checked, and a time of one's own. */
export function retrying(given: Exporter, options: RetryOptions, timing: RetryTiming): Exporter {
  const exporter = snapshotExporter(given)
  const retrier = new Retrier(exporter, options, timing)
  const { name, component, encoding, schedule, delivery, batchBytes, destination } = exporter
  const retried = {
    name,
    ...(component === undefined ? {} : { component }),
    encoding,
    schedule,
    delivery,
    ...(batchBytes === undefined ? {} : { batchBytes }),
    ...(destination === undefined ? {} : { destination }),
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
  // Waiting behind a spool is the spool's: a batch that waits here would keep it from taking over.
  return spoolable(retried, () => ({ exporter, retry: options, problems: [] }))
}
