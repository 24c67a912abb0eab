import type { Exporter } from '../../pipeline/exporter.ts'
import { runAs } from '../../lifecycle/exit-guard-place.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { checkedOptions, throwIfInvalid } from '../exporter-options.ts'
import { withRetry } from './retrying.ts'
import { retrySchema, type RetryOptions, type RetryTiming } from './retry-options.ts'

/** The timing of Node: real timers and random numbers. */
export const realTiming: RetryTiming = {
  delay: (millis, callback) => delay(millis, () => runAs('exporter', callback)),
  random: Math.random,
}

/**
 * Wraps an exporter so that batches with the result `retryable` or `unknown` are exported again, with exponential backoff and
 * jitter or after the `retryAfterMillis` of the result. Records that were sent again without an answer to the earlier attempt
 * may have arrived twice, and are counted as `maybeDuplicated`. Records that the exporter rejects are not retried.
 *
 * A retry delay does not keep the process alive. At exit, each waiting batch gets one more attempt if the exporter has
 * `exportSync`.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function retry(exporter: Exporter, options: RetryOptions = {}): Exporter {
  const { own, problems } = checkedOptions('retry', options, retrySchema)
  throwIfInvalid(problems)
  return withRetry(exporter, own, realTiming)
}
