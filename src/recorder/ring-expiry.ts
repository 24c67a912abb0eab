/** Calls a function after a delay in ms, for which the process does not stay alive. */
export type RecorderDelay = (millis: number, callback: () => void) => { cancel(): void }

/** The timer that ends keys. While it is set, it refers to the recorder, so that a recorder with keys is not garbage collected. */
export class RingExpiry {
  private readonly delay: RecorderDelay
  private readonly expire: () => number | undefined
  private timer: { cancel(): void } | undefined

  /** @param expire - removes the keys that have ended, and returns the time in ms until the next one ends; undefined without any */
  constructor(delay: RecorderDelay, expire: () => number | undefined) {
    this.delay = delay
    this.expire = expire
  }

  /** Sets the timer, if none is set. */
  start(millis: number): void {
    this.timer ??= this.delay(Math.max(1, Math.ceil(millis)), () => {
      this.timer = undefined
      const nextMillis = this.expire()
      if (nextMillis !== undefined) this.start(nextMillis)
    })
  }

  stop(): void {
    this.timer?.cancel()
  }
}
