import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'

/** A bounded wait for pending resource attributes: it is over when all are resolved or the time limit is reached. */
export class ResourceReadiness {
  /** Whether the wait is over. */
  isOver = false
  /** Cleared when the wait is over, because exporters hold this object and must not keep the callback's references alive. */
  private end: ((complete: boolean) => void) | undefined
  private readonly done: PromiseWithResolvers<void> = Promise.withResolvers()
  private timer: Delay | undefined
  /** The deadline of the timer, in ms of `monotonic()`. */
  private deadline = Infinity
  private isKeptAlive = false

  /**
   * Starts the wait. `end` is called once when it is over, before `wait()` resolves: with `true` when all of `pending` have
   * resolved. The promises must not reject. `end` is not called when `pending` is empty.
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

  /** Resolves when the wait is over. */
  wait(): Promise<void> {
    return this.done.promise
  }

  /** Limits the remaining wait to `millis`; never extends it. */
  hurry(millis: number): void {
    const deadline = monotonic() + millis
    if (this.isOver || deadline >= this.deadline) return
    this.deadline = deadline
    this.timer?.cancel()
    this.timer = delay(millis, () => this.settle(false))
    this.timer.keepAlive(this.isKeptAlive)
  }

  /** Sets whether the process stays alive until the wait is over. */
  keepAlive(alive: boolean): void {
    this.isKeptAlive = alive
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
 * Returns a function to call when a flush begins, with the flush timeout in ms. Exports then wait for the resource for at most half
 * of that time, which leaves the other half for the export. The pipeline keeps this function. It is created here, and not inside
 * the provider or processor, because a closure would keep those from being garbage collected.
 */
export function shortenWaitForFlush(resourceWaits: Iterable<ResourceReadiness>): (timeoutMillis: number) => void {
  return (timeoutMillis) => {
    for (const resourceReadiness of resourceWaits) resourceReadiness.hurry(timeoutMillis / 2)
  }
}
