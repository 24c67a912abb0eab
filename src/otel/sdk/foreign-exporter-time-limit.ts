import type { Delay } from '../../lifecycle/platform.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import { onAbort } from '../../record/on-abort.ts'

/** The time limit of a call of an exporter: it is over after a timeout, or when a signal is aborted. */
export class TimeLimit {
  isOver = false
  /** Resolves when the time limit is over. After `end` it remains pending. */
  readonly whenOver: Promise<undefined>
  private readonly timer: Delay | undefined
  private readonly signal: AbortSignal | undefined
  private expire!: () => void

  /**
   * Starts the limit.
   *
   * @param timeoutMillis - the timeout; 0 or Infinity means none
   * @param keepsProcessAlive - whether the process stays alive until the timeout
   */
  constructor(timeoutMillis: number, signal: AbortSignal | undefined, keepsProcessAlive: boolean) {
    this.whenOver = new Promise((resolve) => {
      this.expire = () => {
        this.isOver = true
        resolve(undefined)
      }
    })
    this.signal = signal
    onAbort(signal, this.expire)
    if (signal?.aborted === true) this.expire()
    if (timeoutMillis > 0 && timeoutMillis < Infinity) this.timer = delay(timeoutMillis, this.expire)
    this.keepAlive(keepsProcessAlive)
  }

  /** Sets whether the process stays alive until the timeout. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.timer?.keepAlive(keepsProcessAlive)
  }

  /** Removes the timer and the listener, when the call has ended. */
  end(): void {
    this.timer?.cancel()
    this.signal?.removeEventListener('abort', this.expire)
  }
}
