import type { Delay } from '../../lifecycle/platform.ts'
import { delay, monotonic } from '../../platform/node/end-of-turn.ts'

/** Tracks whether exports must wait for pending attributes of a resource: until all are resolved, or a time limit is reached. */
export class ResourceReadiness {
  /** Whether the wait is over, so that exports can start. */
  isReady = false
  /** Cleared when the wait is over: exporters hold this object, which must not keep what the callback references alive. */
  private onEnd: ((isComplete: boolean) => void) | undefined
  private readonly whenReady: PromiseWithResolvers<void> = Promise.withResolvers()
  private timer: Delay | undefined
  /** The time limit, in ms of `monotonic()`. */
  private deadline = Infinity
  /** Whether the process stays alive until the wait is over. */
  private keepsProcessAlive = false

  /**
   * Starts the wait.
   *
   * @param pending - promises that must not reject
   * @param onEnd - called once when the wait is over, before `wait()` resolves, with whether all of `pending` have resolved; not
   * called if `pending` is empty
   */
  constructor(pending: readonly Promise<unknown>[], timeoutMillis: number, onEnd: (isComplete: boolean) => void) {
    if (pending.length === 0) {
      this.isReady = true
      this.whenReady.resolve()
      return
    }
    this.onEnd = onEnd
    this.shortenTo(timeoutMillis)
    void Promise.all(pending).then(() => this.end(true))
  }

  /** Resolves when the wait is over. */
  wait(): Promise<void> {
    return this.whenReady.promise
  }

  /** Limits the remaining wait to `millis` ms; never extends it. */
  shortenTo(millis: number): void {
    const deadline = monotonic() + millis
    if (this.isReady || deadline >= this.deadline) return
    this.deadline = deadline
    this.timer?.cancel()
    this.timer = delay(millis, () => this.end(false))
    this.timer.keepAlive(this.keepsProcessAlive)
  }

  /** Sets whether the process stays alive until the wait is over. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.timer?.keepAlive(keepsProcessAlive)
  }

  private end(isComplete: boolean): void {
    if (this.isReady) return
    this.isReady = true
    this.timer?.cancel()
    this.timer = undefined
    const { onEnd } = this
    this.onEnd = undefined
    onEnd?.(isComplete)
    this.whenReady.resolve()
  }
}

/**
 * Creates a function to call when a flush begins, with the flush timeout in ms. Exports then wait for the resource for at most half
 * of that time, which leaves the other half for the export. The pipeline keeps this function. It is created here, and not inside
 * the provider or processor, because a closure would keep those from being garbage collected.
 */
export function createWaitShortener(resourceWaits: Iterable<ResourceReadiness>): (timeoutMillis: number) => void {
  return (timeoutMillis) => {
    for (const resourceReadiness of resourceWaits) resourceReadiness.shortenTo(timeoutMillis / 2)
  }
}
