import { Backoff } from '../fd/backoff.ts'

/** The retry schedule of a destination: the delay grows with each failure, and is never shorter than the destination requests. */
export class RetryPace {
  /** The time of the next attempt at the earliest, in ms of the host's clock. */
  notBefore: number = -Infinity
  private readonly minDelay: number
  private readonly backoff: Backoff
  private readonly random: () => number

  /**
   * @param minDelay - The first backoff delay, and the shortest delay that a destination can request, in ms.
   * @param maxDelay - The longest backoff delay, in ms.
   * @param random - Returns a number from 0 to 1.
   */
  constructor(minDelay: number, maxDelay: number, random: () => number) {
    this.minDelay = minDelay
    this.backoff = new Backoff(minDelay, maxDelay)
    this.random = random
  }

  /**
   * Schedules the next attempt after a failure. If the destination requests a delay, that is used, but at least `minDelay`, because
   * `Retry-After: 0` from an overloaded server would cause a busy loop. Otherwise the delay is random, between half and all of the
   * backoff delay, so that processes that lost their collector at the same time do not all retry at the same time.
   */
  recordFailure(now: number, retryAfterMillis: number | undefined): void {
    const backoffDelay = this.backoff.next()
    const isRequested = retryAfterMillis !== undefined && retryAfterMillis >= 0
    this.notBefore =
      now + (isRequested ? Math.max(retryAfterMillis, this.minDelay) : backoffDelay * (0.5 + this.random() / 2))
  }

  /** Resets the schedule. Call it after a result that does not require another attempt. */
  reset(): void {
    this.backoff.reset()
    this.notBefore = -Infinity
  }
}
