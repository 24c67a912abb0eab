import type { Output } from './handler/encoding-handler.ts'
import type { ExporterStats, FlushOptions, FlushResult, Stats } from './logger/types.ts'
import type { Lane } from './pipeline/batch-processor.ts'
import { dropReasons, type DropReason, type Ledger } from './pipeline/ledger.ts'
import { standardLevels, type StandardLevel } from './record/severity.ts'
import { leaveDestination } from './runtime/destinations.ts'
import { monotonic } from './runtime/end-of-turn.ts'

/** One exporter of a logger family with its place in a pipeline. */
export interface Outlet {
  readonly name: string
  readonly lane: Lane
  readonly output: Output
}

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
  const dropped = () => accounts.reduce((sum, { droppedTotal }) => sum + droppedTotal, 0)
  const waiting = () => accounts.reduce((sum, { queued }) => sum + queued, 0)
  let closed: Promise<FlushResult> | undefined

  async function flush(options: FlushOptions | undefined): Promise<FlushResult> {
    const before = dropped()
    const timeout = timeoutOf(options)
    const results = await Promise.all(outlets.map(({ output }) => output.processor.flush(timeout)))
    return { ok: results.every(({ ok }) => ok), pending: waiting(), dropped: dropped() - before }
  }

  async function close(options: FlushOptions | undefined): Promise<FlushResult> {
    const before = dropped()
    const timeout = timeoutOf(options)
    const left = outlets.map(({ output, lane }) => leaveDestination(output.processor, lane, timeout))
    for (const account of accounts) account.closed = true
    await Promise.all(left)
    const lost = dropped() - before
    return { ok: lost === 0 && waiting() === 0, pending: waiting(), dropped: lost }
  }

  return {
    flush,
    flushSync(deadlineMillis = exitTimeoutMillis) {
      const before = dropped()
      const deadline = monotonic() + deadlineMillis
      const results = outlets.map(({ output }) => output.processor.drain(deadline, false))
      return { ok: results.every(({ ok }) => ok), pending: waiting(), dropped: dropped() - before }
    },
    shutdown: (options) => (closed ??= close(options)),
    stats: () => statsOf(outlets),
  }
}

function timeoutOf(options: FlushOptions | undefined): number {
  const millis = options?.timeoutMillis
  return typeof millis === 'number' && millis >= 0 ? millis : defaultTimeoutMillis
}

function statsOf(outlets: readonly Outlet[]): Stats {
  const exporters = outlets.map(({ name, output }): ExporterStats => {
    const { account } = output.origin
    const { emitted, accepted, filtered, lastProblem } = account
    const ledger = account.ledger(output.processor.queuedBytes)
    return { name, emitted, accepted, filtered, maybeDuplicated: 0, ...(lastProblem === undefined ? {} : { lastProblem }), ...ledger }
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
