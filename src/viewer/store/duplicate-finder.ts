import type { ReadRecord } from '../../read/record.ts'
import { RecordMemory, type RememberedRecord } from './record-memory.ts'

/** The number of records of each way that are remembered. */
const maxRemembered = 10_000
/** How long records of the output are held back for the same ones of OTLP, in ms: longer than an SDK collects records. */
const holdMillis = 2_000
/** After so many records of the output that were not sent by OTLP, they are not held back any more. */
const maxUnmatched = 200
/** By how many ms the times of one record can differ. */
const exactMillis = 2
/** How long after an SDK has received a record the program writes it, in ms. The time of a line without one is that of its arrival. */
const arrivalMillis = 2_000

/**
 * Finds records of a program that come in two ways: its logger writes them to the output, and an OpenTelemetry SDK sends them. They have the
 * same level and message, and nearly the same time. The first ones are added as they come. As soon as there was such a record, those of the
 * output are held back for a short time, because those of OTLP have more information.
 */
export class DuplicateFinder {
  /** The number of records that came a second time, and are shown once. */
  count = 0
  private readonly held = new RecordMemory(maxRemembered)
  private readonly added = new RecordMemory(maxRemembered)
  private readonly telemetry = new RecordMemory(maxRemembered)
  private isActive = false
  private isHolding = false
  private unmatched = 0
  private timer: NodeJS.Timeout | undefined

  /** Begins to compare records, before the first output of a program. */
  begin(): void {
    this.isActive = true
  }

  /**
   * Adds a record of the output, unless it came by OTLP.
   *
   * @param now - when it came, in ms since the Unix epoch
   * @param add - adds the record
   */
  addOutput(
    { time, severityNumber, message }: Pick<ReadRecord, 'time' | 'severityNumber' | 'message'>,
    now: number,
    add: () => void,
  ): void {
    if (message === undefined) return add()
    const key = keyOf(severityNumber, message)
    const [earlier, later] = time === undefined ? [arrivalMillis, exactMillis] : [exactMillis, exactMillis]
    if (this.telemetry.take(key, time ?? now, earlier, later) !== undefined) {
      this.count++
      return
    }
    const record = { key, time: time ?? now, earlier, later, add, cameAt: now }
    if (this.isHolding) {
      const forgotten = this.held.remember(record)
      if (forgotten !== undefined) this.addUnmatched(forgotten)
      this.schedule(holdMillis)
    } else {
      add()
      this.added.remember(record)
    }
  }

  /**
   * Returns whether a record that came by OTLP was added already.
   *
   * @param time - ms since the Unix epoch; 0 for an unknown time
   * @param message - returns the message
   */
  isDuplicate(time: number, severityNumber: number, message: () => string | undefined, now: number): boolean {
    if (!this.isActive || time === 0) return false
    const text = message()
    if (text === undefined) return false
    const key = keyOf(severityNumber, text)
    const isHeld = this.held.take(key, time, 0, 0) !== undefined
    if (!isHeld && this.added.take(key, time, 0, 0) === undefined) {
      this.telemetry.remember({ key, time, earlier: 0, later: 0, add: nothing, cameAt: now })
      return false
    }
    this.count++
    this.isHolding = true
    this.unmatched = 0
    return !isHeld
  }

  /** Adds all records that are held back. */
  flush(): void {
    this.release(Infinity)
  }

  /** Adds the held records that came until a time. */
  private release(until: number): void {
    const { held } = this
    for (let record = held.oldest; record !== undefined && record.cameAt <= until; record = held.oldest) {
      held.forgetOldest()
      this.addUnmatched(record)
    }
  }

  private addUnmatched(record: RememberedRecord): void {
    record.add()
    // An SDK can send it later.
    this.added.remember(record)
    if (++this.unmatched > maxUnmatched) this.isHolding = false
  }

  private schedule(millis: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.release(Date.now() - holdMillis)
      if (this.held.oldest !== undefined) this.schedule(holdMillis / 10)
    }, millis).unref()
  }
}

function nothing(): void {
  // A record of OTLP is added by the caller.
}

/** Records of one message have the same severity, but loggers and SDKs name levels of one range in different ways. */
function keyOf(severityNumber: number, message: string): string {
  return `${(severityNumber + 3) >> 2} ${message.length} ${message.slice(0, 500)}`
}
