import { foreignRetryOptionNames } from '../../options/foreign-exporter-names.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { attributeWorkTo } from '../../lifecycle/shared-exit-guard.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { copyAndCheckOptions, throwIfInvalid } from '../exporter-options.ts'
import { withRetry } from './with-retry.ts'
import { retrySchema, type RetryOptions, type RetryTiming } from './retry-options.ts'

/**
 * The timers and random numbers of retries on Node. What a retry starts, such as a request, is attributed to exporters: when the event
 * loop of a process is empty, the work of exporters keeps the process alive for a limited time.
 */
export const nodeTiming: RetryTiming = {
  delay: (millis, callback) => delay(millis, () => attributeWorkTo('exporter', callback)),
  random: Math.random,
}

/**
 * Wraps an exporter so that batches with the result `retryable` or `unknown` are exported again, with exponential backoff and
 * jitter or after the `retryAfterMillis` of the result. Records that were sent again without an answer to the earlier attempt
 * may have arrived twice, and are counted as `maybeDuplicated`. Records that the exporter rejects are not retried.
 *
 * A retry delay does not keep the process alive, except during a flush and with `handleExit: false`. At exit, each waiting batch gets
 * one more attempt if the exporter has `exportSync`.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function retry(exporter: Exporter, options: RetryOptions = {}): Exporter {
  const { checkedOptions, problems } = copyAndCheckOptions('retry', options, retrySchema, [], foreignRetryOptionNames, {
    'a number': 'retry(exporter, { maxElapsedMillis: 120_000 })',
  })
  throwIfInvalid(problems)
  return withRetry(exporter, checkedOptions, nodeTiming)
}
