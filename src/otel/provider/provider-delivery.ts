import type { FlushOptions } from '../../logger/types.ts'
import type { Counters } from '../../pipeline/counters.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { resultSinceNow, timeoutOf, type LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { statsOf } from '../../lifecycle/stats.ts'
import { globalLoggerProvider } from '../api/global-provider.ts'
import type { OtelLoggerProvider } from '../api/types.ts'
import { member } from '../../options/own-members.ts'

/**
 * Returns the delivery functions of a logger that writes to a user's LoggerProvider. `flush` calls the provider's `forceFlush` if it has
 * one. `shutdown` flushes too, and records that are logged later count as dropped. The provider itself is not shut down, because the
 * user owns it. None of the functions throws or rejects.
 */
export function createProviderDelivery(provider: OtelLoggerProvider | 'global', counters: Counters): LoggerDelivery {
  async function flush(options: FlushOptions | undefined): Promise<{ ok: boolean; pending: number; dropped: number }> {
    const result = resultSinceNow([counters])
    return result(await flushWithin(provider, timeoutOf(options)))
  }
  return {
    flush,
    // The API has no synchronous flush.
    flushSync: () => resultSinceNow([counters])(true),
    shutdown(options) {
      counters.isClosed = true
      return flush(options)
    },
    stats: () => statsOf([{ name: 'provider', counters, processor: undefined }]),
  }
}

/** A provider of an SDK, or the proxy provider of the API. The OpenTelemetry API itself defines no flush. */
interface Flushable {
  forceFlush?(): PromiseLike<unknown>
  /** Returns the provider that is registered with the API. Only the proxy provider has this method. */
  getDelegate?(): Flushable
}

/** Flushes a provider. Returns whether that has succeeded within the timeout, or true if there is nothing to flush. */
function flushWithin(provider: OtelLoggerProvider | 'global', timeoutMillis: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = delay(timeoutMillis, () => resolve(false))
    timer.keepAlive(true)
    const finish = (ok: boolean) => {
      timer.cancel()
      resolve(ok)
    }
    forceFlush(provider === 'global' ? globalLoggerProvider() : provider).then(
      () => finish(true),
      () => finish(false),
    )
  })
}

async function forceFlush(provider: (OtelLoggerProvider & Flushable) | undefined): Promise<void> {
  if (provider === undefined) return
  const canFlush = typeof member(provider as Flushable, 'forceFlush') === 'function'
  const flushable: Flushable | undefined = canFlush ? provider : member(provider, 'getDelegate')?.call(provider)
  if (flushable !== undefined) await member(flushable, 'forceFlush')?.call(flushable)
}
