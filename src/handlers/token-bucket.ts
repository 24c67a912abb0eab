/** A clock that jumps back by less than this time, in ms, adds nothing on its way forward. */
const shortJumpMillis = 10_000

/**
 * A token bucket of bytes. A record is accepted while there are tokens, and may use more than there are: the bucket is then in debt. So
 * a record larger than the bucket is not rejected forever.
 */
export class TokenBucket {
  private readonly bytesPerMilli: number
  private readonly burst: number
  private tokens: number
  private time: number

  /** @param time - the current time in ms since the Unix epoch */
  constructor(bytesPerSecond: number, burst: number, time: number) {
    this.bytesPerMilli = bytesPerSecond / 1000
    this.burst = burst
    this.tokens = burst
    this.time = time
  }

  /** Returns whether there are tokens at `time`. A clock that jumps backwards adds none. */
  hasTokens(time: number): boolean {
    const elapsed = time - this.time
    // After a short jump, the time that was counted already is not counted again; after a long one, the new time is right.
    if (elapsed < 0 && elapsed > -shortJumpMillis) return this.tokens > 0
    if (elapsed > 0) this.tokens = Math.min(this.burst, this.tokens + elapsed * this.bytesPerMilli)
    this.time = time
    return this.tokens > 0
  }

  use(bytes: number): void {
    this.tokens -= bytes
  }
}
