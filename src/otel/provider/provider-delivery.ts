import type { FlushOptions } from '../../logger/types.ts'
import type { Counters } from '../../pipeline/counters.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { resultSince, timeoutOf, type LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { statsOf } from '../../lifecycle/stats.ts'
import { globalLoggerProvider } from '../api/global-provider.ts'
import type { OtelLoggerProvider } from '../api/types.ts'
import { member } from '../../options/own-members.ts'

/**
 * Returns the delivery of a logger that writes to a user's LoggerProvider. `flush` calls the provider's `forceFlush` if its SDK has
 * one. The provider is never shut down here, because the user owns it; `shutdown` closes only the logger's own counters. Nothing
 * throws or rejects.
 */
export function providerDelivery(provider: OtelLoggerProvider | 'global', counters: Counters): LoggerDelivery {
  async function flush(options: FlushOptions | undefined): Promise<{ ok: boolean; pending: number; dropped: number }> {
    const result = resultSince([counters])
    return result(await flushed(provider, timeoutOf(options)))
  }
  return {
    flush,
    flushSync: () => resultSince([counters])(true),
    shutdown(options) {
      counters.closed = true
      return flush(options)
    },
    stats: () => statsOf([{ name: 'provider', counters, processor: undefined }]),
  }
}

/** An SDK's provider: the OpenTelemetry API itself defines no flush. */
interface Flushable {
  forceFlush?(): PromiseLike<unknown>
  /** Returns the SDK's provider. The proxy provider of the API has this method. */
  getDelegate?(): Flushable
}

function flushed(given: OtelLoggerProvider | 'global', timeoutMillis: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = delay(timeoutMillis, () => resolve(false))
    timer.keepAlive(true)
    const end = (ok: boolean) => {
      timer.cancel()
      resolve(ok)
    }
    forceFlush(given === 'global' ? globalLoggerProvider() : given).then(
      () => end(true),
      () => end(false),
    )
  })
}

async function forceFlush(provider: (OtelLoggerProvider & Flushable) | undefined): Promise<void> {
  if (provider === undefined) return
  const isSdk = typeof member(provider as Flushable, 'forceFlush') === 'function'
  const sdk: Flushable | undefined = isSdk ? provider : member(provider, 'getDelegate')?.call(provider)
  if (sdk !== undefined) await member(sdk, 'forceFlush')?.call(sdk)
}
