import type { FlushOptions, FlushResult, Stats } from '../logger/types.ts'
import type { Counters } from '../pipeline/counters.ts'
import { ownOptions } from '../options/own-options.ts'
import { detachProducer } from './destinations.ts'
import type { AttachedExporter } from './attached-exporters.ts'
import type { Platform } from './platform.ts'
import { statsOf, type CountedPipeline } from './stats.ts'

/** The delivery functions of a root logger and its children. */
export interface LoggerDelivery {
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(deadlineMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}

/** The default timeout of a flush, in ms. */
export const defaultTimeoutMillis = 5_000

/**
 * Creates the functions that flush, close and count all exporters of a logger. None of them throws or rejects.
 *
 * @param onClosed - called after all exporters were closed
 */
export function loggerDelivery(
  { monotonic }: Platform,
  attached: readonly AttachedExporter[],
  exitTimeoutMillis: number,
  onClosed?: () => void,
): LoggerDelivery {
  const allCounters = attached.map(({ target }) => target.owner.counters)
  const processors = attached.map(({ target }) => target.processor)
  let closed: Promise<FlushResult> | undefined

  async function flush(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSince(allCounters)
    const timeout = timeoutOf(options)
    const flushed = await Promise.all(processors.map((processor) => processor.flush(timeout)))
    return result(flushed.every(({ ok }) => ok))
  }

  function flushSync(deadlineMillis: number | undefined): FlushResult {
    const result = resultSince(allCounters)
    let ok = false
    try {
      const start = monotonic()
      // Drain pipelines that do not block first, so that a stalled destination does not use up the time of the others.
      if (processors.length > 1) for (const processor of processors) processor.drain(start, false)
      const deadline = start + millisOr(deadlineMillis, exitTimeoutMillis)
      ok = processors.map((processor) => processor.drain(deadline, false)).every((drained) => drained.ok)
    } catch {
      // The stack is exhausted; the records stay queued.
    }
    return result(ok)
  }

  async function close(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSince(allCounters)
    const timeout = timeoutOf(options)
    for (const counters of allCounters) counters.closed = true
    await Promise.all(attached.map(({ target, producer }) => detachProducer(target.processor, producer, timeout)))
    try {
      onClosed?.()
    } catch {
      // Delivery does not depend on it.
    }
    return result(true)
  }

  return {
    flush,
    flushSync,
    shutdown(options) {
      if (closed === undefined) {
        // Set before it starts: code that runs during the shutdown may call it again.
        const { promise, resolve } = Promise.withResolvers<FlushResult>()
        closed = promise
        void close(options).then(resolve)
      }
      return closed
    },
    stats: () => statsOf(attached.map(countedOf)),
  }
}

/** Returns a function that returns the flush result since this call. */
export function resultSince(allCounters: readonly Counters[]): (ok: boolean) => FlushResult {
  const total = (count: (counters: Counters) => number) =>
    allCounters.reduce((sum, counters) => sum + count(counters), 0)
  const before = { dropped: total(dropped), unknown: total(unknown) }
  return (ok) => {
    const lost = total(dropped) - before.dropped
    return { ok: ok && lost === 0 && total(unknown) === before.unknown, pending: total(queued), dropped: lost }
  }
}

const dropped = ({ droppedTotal }: Counters): number => droppedTotal
const unknown = (counters: Counters): number => counters.unknown
const queued = (counters: Counters): number => counters.queued

/** Returns the timeout of a flush, in ms. Never throws. */
export function timeoutOf(options: FlushOptions | undefined, fallback: number = defaultTimeoutMillis): number {
  return millisOr(ownOptions(options, '', [])?.timeoutMillis, fallback)
}

/** Returns a valid timeout in ms, because an invalid one would make the wait endless. */
export function millisOr(millis: unknown, fallback: number): number {
  return typeof millis === 'number' && millis >= 0 ? millis : fallback
}

function countedOf({ name, target }: AttachedExporter): CountedPipeline {
  const { counters } = target.owner
  return { name, counters, processor: target.processor }
}
