import { integer, type Check } from '../../options/option-checks.ts'
import type { Delay } from '../../lifecycle/platform.ts'

/** How often and how long a batch is retried. */
export interface RetryOptions {
  /**
   * The delay after the first failure, in ms. It doubles with each further failure. A random part of at most half is subtracted from
   * each delay. If the destination requests a delay that is shorter than this option, this option is used.
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
   * How long a batch is retried, in ms, after the exporter receives it; the last attempt is at the end of this time. Then its records
   * count as `retry_exhausted`, or as `unknown` if they may have arrived. 0: no retries. Infinity: no limit.
   *
   * @defaultValue 120,000, so that nothing is lost while a collector is restarted or replaced and the bounded queue fills
   */
  readonly maxElapsedMillis?: number
}

/** The timers and random numbers of retries. Tests replace them. */
export interface RetryTiming {
  /** Calls a function after a delay in ms. */
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
