import type { Delay } from '../../lifecycle/platform.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { onAbort } from '../../record/on-abort.ts'

/** How long a call may take: until its time is over, or until a signal is aborted. */
export class TimeLimit {
  isOver = false
  /** Resolves when it is over; after `end` never. */
  readonly over: Promise<undefined>
  private readonly timer: Delay | undefined
  private readonly signal: AbortSignal | undefined
  private stop!: () => void

  /** `millis`: 0 or Infinity for no limit. `alive`: the process must not end before. */
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

  /** The call is over: nothing waits any more. */
  end(): void {
    this.timer?.cancel()
    this.signal?.removeEventListener('abort', this.stop)
  }
}
