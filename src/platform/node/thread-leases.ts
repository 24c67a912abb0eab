// Read at load, so that a test runner's fake timers, installed later, cannot stop them.
const { setInterval, clearInterval } = globalThis

/** How often a worker thread that has set directives sends a sign of life, in ms. */
export const beatMillis = 1_000

/** How many times in a row no sign of life may arrive before a thread counts as ended. */
const maxMissedBeats = 5

/**
 * The worker threads that have set directives. One that is terminated cannot send that it ends, so it counts as ended when it has sent
 * nothing for 5 s. Intervals are counted instead of time, because after this thread was blocked, they fire once, before the messages
 * that arrived meanwhile are received.
 */
export class ThreadLeases {
  private readonly missedBeats = new Map<number, number>()
  private timer: ReturnType<typeof setInterval> | undefined
  private readonly onEnd: (thread: number) => void

  /** @param onEnd - called with the ID of a thread that counts as ended */
  constructor(onEnd: (thread: number) => void) {
    this.onEnd = onEnd
  }

  /** Notes a sign of life of a thread. */
  renew(thread: number): void {
    this.missedBeats.set(thread, 0)
    this.timer ??= setInterval(() => this.countMissed(), beatMillis).unref()
  }

  /** Forgets a thread, because it has ended or has no directives. */
  release(thread: number): void {
    this.missedBeats.delete(thread)
    if (this.missedBeats.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private countMissed(): void {
    for (const [thread, missed] of this.missedBeats) {
      this.missedBeats.set(thread, missed + 1)
      if (missed + 1 < maxMissedBeats) continue
      this.release(thread)
      this.onEnd(thread)
    }
  }
}
