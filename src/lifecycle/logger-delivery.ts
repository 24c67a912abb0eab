import type { FlushOptions, FlushResult, Stats } from '../logger/types.ts'
import type { Counters } from '../pipeline/counters.ts'
import { copyOptions } from '../options/own-options.ts'
import { detachProducer } from './destinations.ts'
import type { AttachedExporter } from './attached-exporters.ts'
import type { Platform } from './platform.ts'
import { statsOf, type CountedPipeline } from './stats.ts'

/** The delivery functions of a root logger and its children. */
export interface LoggerDelivery {
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(timeoutMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}

/** The default timeout of a flush or shutdown, in ms. */
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
  let shutdownResult: Promise<FlushResult> | undefined

  async function flush(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSinceNow(allCounters)
    const timeout = timeoutOf(options)
    const flushed = await Promise.all(processors.map((processor) => processor.flush(timeout)))
    return result(flushed.every(({ ok }) => ok))
  }

  function flushSync(timeoutMillis: number | undefined): FlushResult {
    const result = resultSinceNow(allCounters)
    let ok = false
    try {
      const start = monotonic()
      // `drain` gets false because the process does not exit: records that cannot be written stay queued.
      // First let each pipeline write what does not block, so that a stalled destination does not use up the time of the others.
      if (processors.length > 1) for (const processor of processors) processor.drain(start, false)
      const deadline = start + millisOr(timeoutMillis, exitTimeoutMillis)
      ok = processors.map((processor) => processor.drain(deadline, false)).every((drained) => drained.ok)
    } catch {
      // The stack is exhausted; the records stay queued.
    }
    return result(ok)
  }

  async function close(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSinceNow(allCounters)
    const timeout = timeoutOf(options)
    for (const counters of allCounters) counters.isClosed = true
    await Promise.all(attached.map(({ target, producer }) => detachProducer(target.processor, producer, timeout)))
    try {
      onClosed?.()
    } catch {
      // A failure of `onClosed` does not affect the result.
    }
    // Records that were not written by now count as dropped or unknown, so `result` sets `ok` to false for them.
    return result(true)
  }

  return {
    flush,
    flushSync,
    shutdown(options) {
      if (shutdownResult === undefined) {
        // Set before the shutdown starts, because code that runs during it may call `shutdown` again.
        const { promise, resolve } = Promise.withResolvers<FlushResult>()
        shutdownResult = promise
        void close(options).then(resolve)
      }
      return shutdownResult
    },
    stats: () => statsOf(attached.map(countedPipelineOf)),
  }
}

/**
 * Starts to count what is lost during a flush. Returns a function to call when the flush has ended, with whether every pipeline was
 * flushed. It returns the result, which is ok only if no record was dropped or became unknown since the start either.
 */
export function resultSinceNow(allCounters: readonly Counters[]): (areAllFlushed: boolean) => FlushResult {
  const total = (count: (counters: Counters) => number) =>
    allCounters.reduce((sum, counters) => sum + count(counters), 0)
  const before = { dropped: total(droppedCount), unknown: total(unknownCount) }
  return (areAllFlushed) => {
    const lost = total(droppedCount) - before.dropped
    return {
      ok: areAllFlushed && lost === 0 && total(unknownCount) === before.unknown,
      pending: total(queuedCount),
      dropped: lost,
    }
  }
}

const droppedCount = ({ droppedTotal }: Counters): number => droppedTotal
const unknownCount = (counters: Counters): number => counters.unknown
const queuedCount = (counters: Counters): number => counters.queued

/** Returns the timeout of a flush or shutdown, in ms. Never throws. */
export function timeoutOf(options: FlushOptions | undefined, fallback: number = defaultTimeoutMillis): number {
  return millisOr(copyOptions(options, '', [])?.timeoutMillis, fallback)
}

/** Returns a timeout in ms: `millis` if it is a number of 0 or more, otherwise `fallback`. */
export function millisOr(millis: unknown, fallback: number): number {
  return typeof millis === 'number' && millis >= 0 ? millis : fallback
}

function countedPipelineOf({ name, target }: AttachedExporter): CountedPipeline {
  const { counters } = target.owner
  return { name, counters, processor: target.processor }
}
