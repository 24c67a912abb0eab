import type { HeldRecords } from './held-records.ts'
import type { KeyRing } from './key-ring.ts'
import type { RecorderClock } from './recorder-clock.ts'

/** Calls a function after a delay in ms, for which the process does not stay alive. */
export type RecorderDelay = (millis: number, callback: () => void) => { cancel(): void }

/** Ends keys that were not used for `maxAgeMillis`. One timer is set, for the key that was not used for the longest time. */
export class RingExpiry {
  private readonly records: HeldRecords
  private readonly clock: RecorderClock
  private readonly delay: RecorderDelay
  private readonly maxAgeMillis: number
  private timer: { cancel(): void } | undefined

  constructor(records: HeldRecords, clock: RecorderClock, delay: RecorderDelay, maxAgeMillis: number) {
    this.records = records
    this.clock = clock
    this.delay = delay
    this.maxAgeMillis = maxAgeMillis
  }

  /** Sets the timer, if none is set. Called when a ring was added. */
  start(): void {
    if (this.timer === undefined) this.schedule(this.maxAgeMillis)
  }

  stop(): void {
    this.timer?.cancel()
  }

  hasExpired(ring: KeyRing, now: number): boolean {
    return now - ring.lastUsedAt >= this.maxAgeMillis
  }

  private expire(): void {
    this.timer = undefined
    const now = this.clock.now()
    const { rings } = this.records
    while (rings.oldest !== undefined && this.hasExpired(rings.oldest, now)) this.records.removeRing(rings.oldest)
    if (rings.oldest !== undefined) this.schedule(rings.oldest.lastUsedAt + this.maxAgeMillis - now)
  }

  private schedule(millis: number): void {
    this.timer = this.delay(Math.max(1, Math.ceil(millis)), () => this.expire())
  }
}
