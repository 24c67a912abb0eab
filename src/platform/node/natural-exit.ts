import { delay, monotonic } from './end-of-turn.ts'
import type { GuardedPipeline, RunAs } from '../../lifecycle/platform.ts'
import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'
import { ExitWork } from './exit-work.ts'

/** The key of a mark on the `beforeExit` listeners of this package, the same for all of its copies in the process. */
const ownListenerKey = Symbol.for('sluice/v1/before-exit')
/** How long the event loop may continue after the time limits of all pipelines, and after each release, in ms. */
const graceMillis = 25
/** How many times the work of exporters is released: a closed connection can make an exporter start another one. */
const maxReleases = 3
/** Checks of a program that has resumed end after an interval of at least this length, in ms. */
const lastCheckMillis = 5_000

/**
 * Adds a `beforeExit` listener that `hasOtherListeners` does not count as one of other code.
 *
 * @returns A function that removes it.
 */
export function onBeforeExit(listener: () => void): () => void {
  define(listener, ownListenerKey, { value: true })
  // Add it first, so that it is called while listeners that remove themselves can still be counted.
  process.prependListener('beforeExit', listener)
  return () => void process.removeListener('beforeExit', listener)
}

/**
 * The natural exit of a process: the event loop is empty, but exporters that need it have records. They get time to export, at
 * most `exitTimeoutMillis` of each pipeline in total, however often the event loop becomes empty.
 *
 * Resources that an exporter has started, such as a connecting socket or a retry timer, can keep the event loop running longer.
 * They are then released: unreferenced or closed, so that the process exits by itself with its own exit code. If some cannot be
 * released, such as a DNS lookup, `process.exit()` is called.
 *
 * Work that the program has started since the event loop became empty (see `ExitWork`) keeps the process alive as usual.
 */
export class NaturalExit {
  private readonly pipelines: readonly GuardedPipeline[]
  /** Whether exports that were started by `finish` are pending. */
  private isFinishing = false
  /** The part of their exit timeouts that the pipelines have used so far, in ms. */
  private spentMillis = 0
  /** The work that was started since the event loop became empty; undefined while work is not observed. */
  private work: ExitWork | undefined

  /** @param pipelines - The guarded pipelines: a live array that the exit guard changes. */
  constructor(pipelines: readonly GuardedPipeline[]) {
    this.pipelines = pipelines
  }

  /** Calls a function. Once the event loop has been empty, the work that the function starts is attributed to an owner. */
  readonly runAs: RunAs = (owner, call) => (this.work === undefined ? call() : this.work.runAs(owner, call))

  /** Starts the exports of all pipelines that need the event loop. Called on each `beforeExit`. */
  readonly finish = (): void => {
    if (this.isFinishing) return
    this.stopObserving()
    const work = (this.work = new ExitWork())
    work.start()
    const start = monotonic()
    work.runAs('exporter', () => {
      const flushes: Promise<{ readonly ok: boolean }>[] = []
      let longestMillis = 0
      for (const pipeline of this.pipelines.slice()) {
        const millis = pipeline.exitTimeoutMillis - this.spentMillis
        const flush = millis > 0 ? callFinish(pipeline, millis) : undefined
        if (flush === undefined) continue
        flushes.push(flush)
        longestMillis = Math.max(longestMillis, millis)
      }
      if (flushes.length === 0) return this.stopObserving()
      this.isFinishing = true
      void this.awaitFlushes(work, flushes, start)
      this.checkAfter(longestMillis + graceMillis, work)
    })
  }

  private async awaitFlushes(
    work: ExitWork,
    flushes: readonly Promise<{ readonly ok: boolean }>[],
    start: number,
  ): Promise<void> {
    const results = await Promise.allSettled(flushes)
    this.isFinishing = false
    this.spentMillis += monotonic() - start
    work.hasUnfinishedExports = results.some((result) => result.status === 'rejected' || !result.value.ok)
  }

  private checkAfter(millis: number, work: ExitWork, releaseCount = 0): void {
    // The timer does not keep the process alive: it fires only if something else does.
    delay(millis, () => work === this.work && this.check(work, millis, releaseCount))
  }

  private check(work: ExitWork, millis: number, releaseCount: number): void {
    if (work.isProgramAlive) {
      // The program has resumed. Check again, at growing intervals, whether only exporters remain.
      if (millis < lastCheckMillis) this.checkAfter(millis * 2, work)
      else this.stopObserving()
    } else if (releaseCount < maxReleases) {
      work.release()
      this.checkAfter(graceMillis, work, releaseCount + 1)
    } else if (
      work.isObservable &&
      !hasOtherListeners() &&
      (work.hasWorkWithoutUnref || !work.hasProgramStartedAnything)
    ) {
      // Exit only if it is certain that exporters alone keep the process alive: work can be observed, no other code listens to
      // `beforeExit`, and exporters have work that cannot be released or the program has started nothing.
      process.exit()
    } else {
      this.stopObserving()
    }
  }

  private stopObserving(): void {
    this.work?.stop()
    this.work = undefined
  }
}

function callFinish(pipeline: GuardedPipeline, millis: number): Promise<{ readonly ok: boolean }> | undefined {
  try {
    return member(pipeline, 'finish')?.call(pipeline, millis)
  } catch {
    return undefined
  }
}

function hasOtherListeners(): boolean {
  return process.rawListeners('beforeExit').some((listener) => !Object.hasOwn(listener, ownListenerKey))
}
