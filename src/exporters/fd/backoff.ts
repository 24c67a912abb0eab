/** Delays that double from a first value up to a longest one. Call `reset` after progress to start from the first value again. */
export class Backoff {
  private readonly first: number
  private readonly longest: number
  private current: number

  /**
   * @param first - The first delay, in ms.
   * @param longest - The longest delay, in ms.
   */
  constructor(first: number, longest: number) {
    this.first = first
    this.longest = longest
    this.current = first
  }

  /** Returns the next delay in ms, and doubles the one after it. */
  next(): number {
    const wait = this.current
    this.current = Math.min(wait * 2, this.longest)
    return wait
  }

  reset(): void {
    this.current = this.first
  }
}
