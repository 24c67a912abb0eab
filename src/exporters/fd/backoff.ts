/** A sequence of delays that double, from a first delay up to a maximum. */
export class Backoff {
  private readonly firstDelay: number
  private readonly maxDelay: number
  private nextDelay: number

  /**
   * @param firstDelay - The first delay, in ms.
   * @param maxDelay - The longest delay, in ms.
   */
  constructor(firstDelay: number, maxDelay: number) {
    this.firstDelay = firstDelay
    this.maxDelay = maxDelay
    this.nextDelay = firstDelay
  }

  /** Returns the next delay in ms. The one after it is twice as long, up to the maximum. */
  next(): number {
    const delay = this.nextDelay
    this.nextDelay = Math.min(delay * 2, this.maxDelay)
    return delay
  }

  /** Starts again from the first delay. Call it after progress. */
  reset(): void {
    this.nextDelay = this.firstDelay
  }
}
