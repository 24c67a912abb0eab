import type { Delay } from '../../lifecycle/platform.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { onAbort } from '../../record/on-abort.ts'

/** The time limit of a call: it is over after a timeout or when a signal is aborted. */
export class TimeLimit {
  isOver = false
  /** Resolves when the time is over; never after `end`. */
  readonly over: Promise<undefined>
  private readonly timer: Delay | undefined
  private readonly signal: AbortSignal | undefined
  private stop!: () => void

  /**
   * Starts the limit. `millis` of 0 or Infinity means no timeout. With `alive`, the process stays alive until the limit is over.
   */
  constructor(millis: number, signal: AbortSignal | undefined, alive: boolean) {
    this.over = new Promise((resolve) => {
      this.stop = () => {
        this.isOver = true
        resolve(undefined)
      }
    })
    this.signal = signal
    onAbort(signal, this.stop)
    if (signal?.aborted === true) this.stop()
    if (millis > 0 && millis < Infinity) this.timer = delay(millis, this.stop)
    this.keepAlive(alive)
  }

  keepAlive(alive: boolean): void {
    this.timer?.keepAlive(alive)
  }

  /** Removes the timer and the listener when the call has ended. */
  end(): void {
    this.timer?.cancel()
    this.signal?.removeEventListener('abort', this.stop)
  }
}
