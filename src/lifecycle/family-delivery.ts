import type { FlushOptions, FlushResult, Stats } from '../logger/types.ts'
import type { Account } from '../pipeline/ledger.ts'
import { ownOptions } from '../options/own-options.ts'
import { leaveDestination } from './destinations.ts'
import type { Outlet } from './outlets.ts'
import type { Platform } from './platform.ts'
import { statsOf, type Counted } from './stats.ts'

/** What a logger family does with its pipelines beside logging. */
export interface FamilyDelivery {
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(deadlineMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}

/** How long a flush waits, in ms. */
export const defaultTimeoutMillis = 5_000

/** Flushing, closing and counting over all outlets of a family. None of it throws or rejects. */
export function familyDelivery(
  { monotonic }: Platform,
  outlets: readonly Outlet[],
  exitTimeoutMillis: number,
  closedNow?: () => void,
): FamilyDelivery {
  const accounts = outlets.map(({ output }) => output.origin.account)
  const processors = outlets.map(({ output }) => output.processor)
  let closed: Promise<FlushResult> | undefined

  async function flush(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSince(accounts)
    const timeout = timeoutOf(options)
    const flushed = await Promise.all(processors.map((processor) => processor.flush(timeout)))
    return result(flushed.every(({ ok }) => ok))
  }

  function flushSync(deadlineMillis: number | undefined): FlushResult {
    const result = resultSince(accounts)
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
    const result = resultSince(accounts)
    const timeout = timeoutOf(options)
    for (const account of accounts) account.closed = true
    await Promise.all(outlets.map(({ output, lane }) => leaveDestination(output.processor, lane, timeout)))
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
    stats: () => statsOf(outlets.map(countedOf)),
  }
}

/** What has become of the records since this was called. */
export function resultSince(accounts: readonly Account[]): (ok: boolean) => FlushResult {
  const total = (count: (account: Account) => number) => accounts.reduce((sum, account) => sum + count(account), 0)
  const before = { dropped: total(dropped), unknown: total(unknown) }
  return (ok) => {
    const lost = total(dropped) - before.dropped
    return { ok: ok && lost === 0 && total(unknown) === before.unknown, pending: total(queued), dropped: lost }
  }
}

const dropped = ({ droppedTotal }: Account): number => droppedTotal
const unknown = (account: Account): number => account.unknown
const queued = (account: Account): number => account.queued

/** How long a flush may wait, in ms. Never throws. */
export function timeoutOf(options: FlushOptions | undefined, fallback: number = defaultTimeoutMillis): number {
  return millisOr(ownOptions(options, '', [])?.timeoutMillis, fallback)
}

/** A time that is none would make a wait endless. */
export function millisOr(millis: unknown, fallback: number): number {
  return typeof millis === 'number' && millis >= 0 ? millis : fallback
}

function countedOf({ name, output }: Outlet): Counted {
  const { account } = output.origin
  return { name, account, processor: output.processor }
}
