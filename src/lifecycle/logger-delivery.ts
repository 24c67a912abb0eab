import type { FlushOptions, FlushResult, Stats } from '../logger/types.ts'
import type { Counters } from '../pipeline/counters.ts'
import { ownOptions } from '../options/own-options.ts'
import { leaveDestination } from './destinations.ts'
import type { AttachedExporter } from './attached-exporters.ts'
import type { Platform } from './platform.ts'
import { statsOf, type Counted } from './stats.ts'

/** What a logger family does with its pipelines beside logging. */
export interface LoggerDelivery {
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(deadlineMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}

/** How long a flush waits, in ms. */
export const defaultTimeoutMillis = 5_000

/** Flushing, closing and counting over all outlets of a family. None of it throws or rejects. */
export function loggerDelivery(
  { monotonic }: Platform,
  attached: readonly AttachedExporter[],
  exitTimeoutMillis: number,
  closedNow?: () => void,
): LoggerDelivery {
  const allCounters = attached.map(({ output }) => output.owner.counters)
  const processors = attached.map(({ output }) => output.processor)
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
      // First what needs no waiting, so that a dead destination does not use up the time of the others.
      if (processors.length > 1) for (const processor of processors) processor.drain(start, false)
      const deadline = start + millisOr(deadlineMillis, exitTimeoutMillis)
      ok = processors.map((processor) => processor.drain(deadline, false)).every((drained) => drained.ok)
    } catch {
      // an exhausted stack; the records wait in their queues
    }
    return result(ok)
  }

  async function close(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSince(allCounters)
    const timeout = timeoutOf(options)
    for (const counters of allCounters) counters.closed = true
    await Promise.all(attached.map(({ output, producer }) => leaveDestination(output.processor, producer, timeout)))
    try {
      closedNow?.()
    } catch {
      // nothing of what was logged depends on it
    }
    return result(true)
  }

  return {
    flush,
    flushSync,
    shutdown(options) {
      if (closed === undefined) {
        // Known before it begins: what runs inside may shut down too.
        const { promise, resolve } = Promise.withResolvers<FlushResult>()
        closed = promise
        void close(options).then(resolve)
      }
      return closed
    },
    stats: () => statsOf(attached.map(countedOf)),
  }
}

/** What has become of the records since this was called. */
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

/** How long a flush may wait, in ms. Never throws. */
export function timeoutOf(options: FlushOptions | undefined, fallback: number = defaultTimeoutMillis): number {
  return millisOr(ownOptions(options, '', [])?.timeoutMillis, fallback)
}

/** A time that is none would make a wait endless. */
export function millisOr(millis: unknown, fallback: number): number {
  return typeof millis === 'number' && millis >= 0 ? millis : fallback
}

function countedOf({ name, output }: AttachedExporter): Counted {
  const { counters } = output.owner
  return { name, counters, processor: output.processor }
}
