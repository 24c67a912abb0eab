/** Waiting times that double from the first to the longest; progress starts them anew. */
export class Backoff {
  private readonly first: number
  private readonly longest: number
  private current: number

  /** @param first and longest: ms. */
  constructor(first: number, longest: number) {
    this.first = first
    this.longest = longest
    this.current = first
  }

  /** The next wait in ms. */
  next(): number {
    const wait = this.current
    this.current = Math.min(wait * 2, this.longest)
    return wait
  }

  reset(): void {
    this.current = this.first
  }
}
