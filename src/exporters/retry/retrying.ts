import type { Delay } from '../../lifecycle/platform.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { snapshotExporter } from '../../pipeline/snapshot-exporter.ts'
import { integer, type Check } from '../../options/option-checks.ts'
import { spoolable } from '../spool/spoolable.ts'
import { Retrier } from './retrier.ts'

/** How often and how long a batch is retried. */
export interface RetryOptions {
  /**
   * The delay after the first failure, in ms. It doubles with each further failure. Also the shortest delay.
   *
   * @defaultValue 1,000
   */
  readonly initialDelayMillis?: number
  /**
   * The longest delay, in ms, unless the destination requests a longer one.
   *
   * @defaultValue 10,000
   */
  readonly maxDelayMillis?: number
  /**
   * How long after its first attempt a batch is retried, in ms; the last attempt is at the end of this time. Then its records
   * count as `retry_exhausted`, or as `unknown` if they may have arrived. 0: no retries. Infinity: no limit.
   *
   * @defaultValue 120,000, so that nothing is lost while a collector is restarted or replaced and the bounded queue fills
   */
  readonly maxElapsedMillis?: number
}

/** The timers and random numbers of retries. Tests replace them. */
export interface RetryTiming {
  delay(millis: number, callback: () => void): Delay
  /** Returns a number from 0 to 1. */
  random(): number
}

/** The checks of `RetryOptions`. */
export const retrySchema: Readonly<Record<keyof RetryOptions, Check>> = {
  initialDelayMillis: integer(1, 2_147_483_647),
  maxDelayMillis: integer(1, 2_147_483_647),
  maxElapsedMillis: integer(0),
}

/** Implements `retry` for checked options and a given timing. */
export function withRetry(given: Exporter, options: RetryOptions, timing: RetryTiming): Exporter {
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
  // With a spool, retries are delayed by the spool: a batch that waits here would block the spool from storing it.
  return spoolable(retried, () => ({ exporter, retry: options, problems: [] }))
}
