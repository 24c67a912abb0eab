import type { Exporter } from '../../pipeline/exporter.ts'
import { runAs } from '../../lifecycle/exit-guard-place.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { checkedOptions, refuse } from '../exporter-options.ts'
import { retrying, retrySchema, type RetryOptions, type RetryTiming } from './retrying.ts'

/** Time as it passes in Node. */
export const realTiming: RetryTiming = {
  delay: (millis, callback) => delay(millis, () => runAs('exporter', callback)),
  random: Math.random,
}

/**
 * Gives what an exporter answered with `retryable` or `unknown` to it again: after growing waits with jitter, or when it asks
 * for it by `retryAfterMillis`. What was sent again without an answer to the first time may have arrived twice, and is
 * counted as such (`maybeDuplicated`). What the exporter rejects is not tried again.
 *
 * A wait does not keep the process alive: when the process ends, each waiting batch has one more try, where the exporter can
 * do without the event loop.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function retry(exporter: Exporter, options: RetryOptions = {}): Exporter {
  const { own, problems } = checkedOptions('retry', options, retrySchema)
  refuse(problems)
  return retrying(exporter, own, realTiming)
}
