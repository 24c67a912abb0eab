import { delay, monotonic } from './end-of-turn.ts'
import type { Guarded, RunAs } from '../../lifecycle/platform.ts'
import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'
import { ExitWork } from './exit-work.ts'

/** Marks the `beforeExit` listeners of this package, whichever copy of it added them. */
const ownListener = Symbol.for('sluice/v1/before-exit')
/** How long the event loop may go on after the time of all pipelines is over, and after each release, in ms. */
const graceMillis = 25
/** How often work of exporters is released: a closed connection can make an exporter start another one. */
const mostReleases = 3
/** The longest time between two checks of a program that has resumed, in ms. After it the program is no longer observed. */
const longestCheckMillis = 5_000

/** Adds a `beforeExit` listener that does not count as other code that may keep the process alive. */
export function onBeforeExit(listener: () => void): () => void {
  define(listener, ownListener, { value: true })
  // In front, so that it is called while listeners that remove themselves can still be counted.
  process.prependListener('beforeExit', listener)
  return () => void process.removeListener('beforeExit', listener)
}

/**
 * The natural exit of a process: the event loop is empty, but exporters that need it have records. They get their time, at
 * most `exitTimeoutMillis` of each pipeline in total, however often the event loop runs empty.
 *
 * What an exporter has started, such as a socket that connects or a timer between its own tries, can keep the event loop
 * running beyond that. It is then released: unreferenced or closed, so that the process exits by itself, with its own exit code. If
 * some of it cannot be released, such as a DNS lookup, `process.exit()` is called.
 *
 * Work that the program has started since then (see `ExitWork`) keeps the process alive as usual.
 */
export class NaturalExit {
  private readonly pipelines: readonly Guarded[]
  private isFinishing = false
  private spentMillis = 0
  private work: ExitWork | undefined

  /** `pipelines`: all that are guarded at the moment. */
  constructor(pipelines: readonly Guarded[]) {
    this.pipelines = pipelines
  }

  readonly runAs: RunAs = (owner, call) => (this.work === undefined ? call() : this.work.runAs(owner, call))

  /** To be called on each `beforeExit`. */
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
        const wait = millis > 0 ? begin(guarded, millis) : undefined
        if (wait === undefined) continue
        waits.push(wait)
        longest = Math.max(longest, millis)
      }
      if (waits.length === 0) return this.stopObserving()
      this.isFinishing = true
      void this.await(work, waits, start)
      this.endAfter(longest + graceMillis, work)
    })
  }

  private async await(
    work: ExitWork,
    waits: readonly Promise<{ readonly ok: boolean }>[],
    start: number,
  ): Promise<void> {
    const flushed = await Promise.allSettled(waits)
    this.isFinishing = false
    this.spentMillis += monotonic() - start
    work.isExporting = flushed.some((result) => result.status === 'rejected' || !result.value.ok)
  }

  private endAfter(millis: number, work: ExitWork, releases = 0): void {
    // It does not keep the process alive: it fires only if something else does.
    delay(millis, () => work === this.work && this.end(work, millis, releases))
  }

  private end(work: ExitWork, millis: number, releases: number): void {
    if (work.isProgramAlive) {
      if (millis < longestCheckMillis) this.endAfter(millis * 2, work)
      else this.stopObserving()
    } else if (releases < mostReleases) {
      work.release()
      this.endAfter(graceMillis, work, releases + 1)
    } else if (work.isObserved && !othersListen() && (work.isHeldUp || !work.hasProgramRun)) {
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

function begin(guarded: Guarded, millis: number): Promise<{ readonly ok: boolean }> | undefined {
  try {
    return member(guarded, 'finish')?.call(guarded, millis)
  } catch {
    return undefined
  }
}

function othersListen(): boolean {
  return process.rawListeners('beforeExit').some((listener) => !Object.hasOwn(listener, ownListener))
}
