import { Backoff } from '../fd/backoff.ts'

/** When a destination that failed may be tried again: later from failure to failure, and not before it wants to be. */
export class RetryPace {
  /** Before this time, ms of the host's clock, nothing is sent. */
  notBefore: number = -Infinity
  private readonly least: number
  private readonly backoff: Backoff
  private readonly random: () => number

  /** `least` and `most`: ms; `random`: from 0 to 1. */
  constructor(least: number, most: number, random: () => number) {
    this.least = least
    this.backoff = new Backoff(least, most)
    this.random = random
  }

  /**
   * It failed. What it asks for itself is kept (OTL9), but never less than the shortest wait: `Retry-After: 0` from a server
   * in trouble would be a loop. Otherwise between half of the growing wait and all of it, so that a thousand processes
   * which lost their collector at the same time do not come back at the same time.
   */
  failed(now: number, retryAfterMillis: number | undefined): void {
    const wait = this.backoff.next()
    const isAsked = retryAfterMillis !== undefined && retryAfterMillis >= 0
    this.notBefore = now + (isAsked ? Math.max(retryAfterMillis, this.least) : wait * (0.5 + this.random() / 2))
  }

  /** It gave an answer that does not ask for another try. */
  answered(): void {
    this.backoff.reset()
    this.notBefore = -Infinity
  }
}
