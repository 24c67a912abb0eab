import { delay, monotonic } from './end-of-turn.ts'
import type { Guarded } from '../delivery/platform.ts'
import { define } from '../record/define.ts'

/** Marks the `beforeExit` listeners of this package, whichever copy of it added them. */
const ownListener = Symbol.for('sluice/v1/before-exit')
/** How long the event loop may go on after the time of all pipelines is over, in ms. */
const graceMillis = 25

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
 * What an exporter has begun, such as a socket that connects or a timer between its own tries, can keep the event loop running
 * beyond that. Nothing but the exporters can have started it, because the program itself has ended; so the process exits.
 * With a `beforeExit` listener of other code that is not certain, so the process is left to end by itself.
 */
export class NaturalExit {
  private readonly pipelines: readonly Guarded[]
  private isFinishing = false
  private spentMillis = 0

  /** `pipelines`: all that are guarded at the moment. */
  constructor(pipelines: readonly Guarded[]) {
    this.pipelines = pipelines
  }

  /** To be called on each `beforeExit`. */
  readonly finish = (): void => {
    if (this.isFinishing) return
    const start = monotonic()
    const waits: Promise<unknown>[] = []
    let longest = 0
    for (const guarded of this.pipelines.slice()) {
      const millis = guarded.exitTimeoutMillis - this.spentMillis
      const wait = millis > 0 ? begin(guarded, millis) : undefined
      if (wait === undefined) continue
      waits.push(wait)
      longest = Math.max(longest, millis)
    }
    if (waits.length === 0) return
    this.isFinishing = true
    void this.await(waits, start)
    // It does not keep the process alive: it fires only if something else does.
    if (!othersListen()) delay(longest + graceMillis, () => process.exit())
  }

  private async await(waits: readonly Promise<unknown>[], start: number): Promise<void> {
    await Promise.allSettled(waits)
    this.isFinishing = false
    this.spentMillis += monotonic() - start
  }
}

function begin(guarded: Guarded, millis: number): Promise<unknown> | undefined {
  try {
    return guarded.finish?.(millis)
  } catch {
    return undefined
  }
}

function othersListen(): boolean {
  return process.rawListeners('beforeExit').some((listener) => !Object.hasOwn(listener, ownListener))
}
