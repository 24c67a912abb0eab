import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'

/** When what is pending is there, or was waited for long enough. */
export class ResourceReadiness {
  /** Whether nothing is waited for any more. */
  isOver = false
  /** Removed when it is over: exporters hold a settlement, and must not hold what `end` uses. */
  private end: ((complete: boolean) => void) | undefined
  private readonly done: PromiseWithResolvers<void> = Promise.withResolvers()
  private timer: Delay | undefined
  /** Until when the timer waits, in ms of `monotonic()`. */
  private until = Infinity
  private kept = false

  /**
   * `end` is called once, when nothing is waited for any more, before those who wait go on: with `true` if all of `pending` is
   * there, which must not reject. It is not called where there is nothing to wait for.
   */
  constructor(pending: readonly Promise<unknown>[], timeoutMillis: number, end: (complete: boolean) => void) {
    if (pending.length === 0) {
      this.isOver = true
      this.done.resolve()
      return
    }
    this.end = end
    this.hurry(timeoutMillis)
    void Promise.all(pending).then(() => this.settle(true))
  }

  /** Fulfilled when it is over. */
  wait(): Promise<void> {
    return this.done.promise
  }

  /** From now on it takes `millis` at most. */
  hurry(millis: number): void {
    const until = monotonic() + millis
    if (this.isOver || until >= this.until) return
    this.until = until
    this.timer?.cancel()
    this.timer = delay(millis, () => this.settle(false))
    this.timer.keepAlive(this.kept)
  }

  /** Whether the process must stay alive until it is over. */
  keepAlive(alive: boolean): void {
    this.kept = alive
    this.timer?.keepAlive(alive)
  }

  private settle(complete: boolean): void {
    if (this.isOver) return
    this.isOver = true
    this.timer?.cancel()
    this.timer = undefined
    const { end } = this
    this.end = undefined
    end?.(complete)
    this.done.resolve()
  }
}

/**
 * Returns a function to be called when a flush begins, with the time that the flush may take, in ms: exports wait for half of it
 * at most, and have the other half (D14). A pipeline holds the function, so it is not a closure of the provider or processor,
 * which would then never be garbage collected.
 */
export function shortenWaitForFlush(settlements: Iterable<ResourceReadiness>): (timeoutMillis: number) => void {
  return (timeoutMillis) => {
    for (const settlement of settlements) settlement.hurry(timeoutMillis / 2)
  }
}
