import type { ExporterStats, FlushOptions, FlushResult, Stats } from '../logger/types.ts'
import { dropReasons, type Account, type DropReason, type Ledger } from '../pipeline/ledger.ts'
import { standardLevels, type StandardLevel } from '../record/severity.ts'
import { leaveDestination } from './destinations.ts'
import { monotonic } from './end-of-turn.ts'
import type { Outlet } from './outlets.ts'

/** What a logger family does with its pipelines beside logging. */
export interface FamilyDelivery {
  flush(options: FlushOptions | undefined): Promise<FlushResult>
  flushSync(deadlineMillis: number | undefined): FlushResult
  shutdown(options: FlushOptions | undefined): Promise<FlushResult>
  stats(): Stats
}

const defaultTimeoutMillis = 5_000

/** Flushing, closing and counting over all outlets of a family. None of it throws or rejects. */
export function familyDelivery(outlets: readonly Outlet[], exitTimeoutMillis: number): FamilyDelivery {
  const accounts = outlets.map(({ output }) => output.origin.account)
  const processors = outlets.map(({ output }) => output.processor)
  let closed: Promise<FlushResult> | undefined

  async function flush(options: FlushOptions | undefined): Promise<FlushResult> {
    const result = resultSince(accounts)
    const timeout = millisOr(options?.timeoutMillis, defaultTimeoutMillis)
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
    const timeout = millisOr(options?.timeoutMillis, defaultTimeoutMillis)
    for (const account of accounts) account.closed = true
    await Promise.all(outlets.map(({ output, lane }) => leaveDestination(output.processor, lane, timeout)))
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
    stats: () => statsOf(outlets),
  }
}

/** What has become of the records since this was called. */
function resultSince(accounts: readonly Account[]): (ok: boolean) => FlushResult {
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

/** A time that is none would make a wait endless. */
function millisOr(millis: unknown, fallback: number): number {
  return typeof millis === 'number' && millis >= 0 ? millis : fallback
}

function statsOf(outlets: readonly Outlet[]): Stats {
  const exporters = outlets.map(({ name, output }): ExporterStats => {
    const { account } = output.origin
    const { emitted, accepted, filtered, maybeDuplicated, lastProblem } = account
    const ledger = account.ledger(output.processor.queuedBytes)
    return {
      name,
      emitted,
      accepted,
      filtered,
      maybeDuplicated,
      ...(lastProblem === undefined ? {} : { lastProblem }),
      ...ledger,
    }
  })
  const sum = (count: (ledger: Ledger) => number) => exporters.reduce((total, ledger) => total + count(ledger), 0)
  return {
    emitted: Math.max(0, ...exporters.map(({ emitted }) => emitted)),
    written: sum(({ written }) => written),
    queued: sum(({ queued }) => queued),
    queuedBytes: sum(({ queuedBytes }) => queuedBytes),
    unknown: sum(({ unknown }) => unknown),
    dropped: {
      total: sum(({ dropped: { total } }) => total),
      byReason: sums(dropReasons, (reason: DropReason) => sum(({ dropped }) => dropped.byReason[reason])),
      byLevel: sums(standardLevels, (level: StandardLevel) => sum(({ dropped }) => dropped.byLevel[level])),
    },
    exporters,
  }
}

function sums<K extends string>(names: readonly K[], count: (name: K) => number): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, count(name)])) as Record<K, number>
}
