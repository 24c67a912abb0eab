import type { ExitOptions } from './destinations.ts'
import { whenCollected } from './dropped-loggers.ts'
import type { LoggerDelivery } from './logger-delivery.ts'
import { openPipelines } from './open-pipelines.ts'
import type { GuardedPipeline, Platform } from './platform.ts'

/** A user's handler as the delivery functions use it: `HandlerGuard`. */
export interface FlushedHandler {
  /** Lets the handler write what it has held back. Returns whether it can have written anything. */
  flush(): boolean
  /** Calls a function once the handler has something to flush. */
  whenFlushable(callback: () => void): void
  /** Returns the number of filtered records by reason. */
  filteredByReason(): Record<string, number>
}

/**
 * Returns the delivery functions of a logger with a user's handler, which flush the handler before the exporters. The handler is also
 * flushed when the process exits and by `withFlush`.
 */
export function deliveryAfterHandler(
  handler: FlushedHandler,
  delivery: LoggerDelivery,
  { guardExit }: Platform,
  exit: ExitOptions,
): LoggerDelivery {
  let unguard: (() => void) | undefined
  handler.whenFlushable(() => {
    const guard = exit.handleExit ? guardExit : undefined
    unguard = guard?.(guardedHandler(new WeakRef(handler), new WeakRef(delivery), exit))
    if (unguard !== undefined) whenCollected(handler, unguard)
    addSource(handler)
  })
  return {
    flush(options) {
      handler.flush()
      return delivery.flush(options)
    },
    flushSync(timeoutMillis) {
      try {
        handler.flush()
      } catch {
        // The stack is exhausted.
      }
      return delivery.flushSync(timeoutMillis)
    },
    shutdown(options) {
      handler.flush()
      unguard?.()
      return delivery.shutdown(options)
    },
    stats: () => ({ ...delivery.stats(), filteredByReason: handler.filteredByReason() }),
  }
}

/**
 * Returns a pipeline that flushes the handler when the process exits. The exit guard keeps it, so it must not keep the logger alive.
 * Several pipelines are drained twice, so what the handler writes is drained whichever of them comes first.
 */
function guardedHandler(
  handler: WeakRef<FlushedHandler>,
  delivery: WeakRef<LoggerDelivery>,
  { handleSignals, exitTimeoutMillis }: ExitOptions,
): GuardedPipeline {
  return {
    drain: () => void handler.deref()?.flush(),
    finish(timeoutMillis) {
      const exporters = delivery.deref()
      const emittedBefore = exporters?.stats().emitted
      handler.deref()?.flush()
      // Wait only for records that the handler has written now, so that the process can exit afterwards.
      if (exporters === undefined || exporters.stats().emitted === emittedBefore) return undefined
      return exporters.flush({ timeoutMillis })
    },
    afterExit() {},
    handleSignals,
    exitTimeoutMillis,
  }
}

/** The sources of the handlers, which are kept as long as the handlers, because the registry of pipelines references them weakly. */
const sources = new WeakMap<FlushedHandler, object>()

function addSource(handler: FlushedHandler): void {
  const reference = new WeakRef(handler)
  const source = {
    isSource: true,
    flush() {
      reference.deref()?.flush()
      return Promise.resolve(done)
    },
    drain() {
      reference.deref()?.flush()
      return done
    },
  } as const
  sources.set(handler, source)
  openPipelines().add(source)
}

const done = { ok: true, pending: 0 } as const
