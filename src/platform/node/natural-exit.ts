import { delay, monotonic } from './end-of-turn.ts'
import type { GuardedPipeline, RunAs } from '../../lifecycle/platform.ts'
import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'
import { ExitWork } from './exit-work.ts'

/** Marks the `beforeExit` listeners of this package, for all of its copies in the process. */
const ownListener = Symbol.for('sluice/v1/before-exit')
/** How long the event loop may continue after the time of all pipelines is over, and after each release, in ms. */
const graceMillis = 25
/** How many times the work of exporters is released: a closed connection can make an exporter start another one. */
const maxReleases = 3
/** The longest time between two checks of a program that has resumed, in ms. After it the program is no longer observed. */
const maxCheckMillis = 5_000

/** Adds a `beforeExit` listener that does not count as other code that may keep the process alive. */
export function onBeforeExit(listener: () => void): () => void {
  define(listener, ownListener, { value: true })
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
 * Work that the program has started since then (see `ExitWork`) keeps the process alive as usual.
 */
export class NaturalExit {
  private readonly pipelines: readonly GuardedPipeline[]
  private isFinishing = false
  private spentMillis = 0
  private work: ExitWork | undefined

  /** @param pipelines - All pipelines that are guarded now. */
  constructor(pipelines: readonly GuardedPipeline[]) {
    this.pipelines = pipelines
  }

  readonly runAs: RunAs = (owner, call) => (this.work === undefined ? call() : this.work.runAs(owner, call))

  /** Called on each `beforeExit`. */
  readonly finish = (): void => {
    if (this.isFinishing) return
    this.stopObserving()
    const work = (this.work = new ExitWork())
    work.start()
    const start = monotonic()
    work.runAs('exporter', () => {
      const waits: Promise<{ readonly ok: boolean }>[] = []
      let longest = 0
      for (const guarded of this.pipelines.slice()) {
        const millis = guarded.exitTimeoutMillis - this.spentMillis
        const wait = millis > 0 ? startFinish(guarded, millis) : undefined
        if (wait === undefined) continue
        waits.push(wait)
        longest = Math.max(longest, millis)
      }
      if (waits.length === 0) return this.stopObserving()
      this.isFinishing = true
      void this.awaitFlush(work, waits, start)
      this.checkAfter(longest + graceMillis, work)
    })
  }

  private async awaitFlush(
    work: ExitWork,
    waits: readonly Promise<{ readonly ok: boolean }>[],
    start: number,
  ): Promise<void> {
    const flushed = await Promise.allSettled(waits)
    this.isFinishing = false
    this.spentMillis += monotonic() - start
    work.isExporting = flushed.some((result) => result.status === 'rejected' || !result.value.ok)
  }

  private checkAfter(millis: number, work: ExitWork, releases = 0): void {
    // The timer does not keep the process alive: it fires only if something else does.
    delay(millis, () => work === this.work && this.check(work, millis, releases))
  }

  private check(work: ExitWork, millis: number, releases: number): void {
    if (work.isProgramAlive) {
      if (millis < maxCheckMillis) this.checkAfter(millis * 2, work)
      else this.stopObserving()
    } else if (releases < maxReleases) {
      work.release()
      this.checkAfter(graceMillis, work, releases + 1)
    } else if (work.isObserved && !hasOtherListeners() && (work.isHeldUp || !work.hasProgramRun)) {
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

function startFinish(guarded: GuardedPipeline, millis: number): Promise<{ readonly ok: boolean }> | undefined {
  try {
    return member(guarded, 'finish')?.call(guarded, millis)
  } catch {
    return undefined
  }
}

function hasOtherListeners(): boolean {
  return process.rawListeners('beforeExit').some((listener) => !Object.hasOwn(listener, ownListener))
}
