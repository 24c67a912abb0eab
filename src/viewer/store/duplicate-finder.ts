import { standardSeverities } from '../../record/severity.ts'
import type { ReadRecord } from '../../read/record.ts'
import { isWarningOrErrorNumber, keyOf, warningOrErrorKey } from './record-key.ts'
import { RecordMemory, type Entry, type RememberedRecord } from './record-memory.ts'

/** The number of records of each way that are remembered. */
const maxRemembered = 10_000
/** The memory of records that are held back, in bytes. */
const maxHeldBytes = 8_388_608
/** How long records of the output are held back for the same ones of OTLP, in ms: longer than an SDK collects records. */
const holdMillis = 2_000
/** After so many records of the output that were not sent by OTLP, they are not held back any more. */
const maxUnmatched = 200
/** By how many ms the times of one record can differ. */
const exactMillis = 2
/** How long after an SDK has received a record the program writes it, in ms. The time of a line without one is that of its arrival. */
const arrivalMillis = 2_000

/** A record of the output that is held back. */
interface HeldRecord extends RememberedRecord {
  /** Adds the record to the store. */
  add: () => void
  readonly bytes: number
  /** When it came, in ms since the Unix epoch. */
  readonly cameAt: number
}

/** The parts of an output record that are compared. */
export interface OutputRecord extends Pick<ReadRecord, 'time' | 'severityNumber' | 'message'> {
  /** Whether it is text of standard error, which is a warning or an error. */
  readonly isWarningOrError?: boolean
}

/**
 * Finds records of a program that come in two ways: its logger writes them to the output, and an OpenTelemetry SDK sends them. They have the
 * same level and message, and nearly the same time. The first ones are added as they come. As soon as there was such a record, those of the
 * output are held back for a short time, because those of OTLP have more information.
 */
export class DuplicateFinder {
  /** The number of records that came a second time, and are shown once. */
  count = 0
  private readonly held = new RecordMemory<HeldRecord>()
  private readonly added = new RecordMemory()
  private readonly telemetry = new RecordMemory()
  private request = new ComparedRequest()
  private heldBytes = 0
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
   * @param bytes - the memory that it needs until it is added
   * @param add - adds the record
   */
  addOutput(
    { time, severityNumber, message, isWarningOrError = false }: OutputRecord,
    now: number,
    bytes: number,
    add: () => void,
  ): void {
    if (message === undefined) return add()
    const [key, ...otherKeys] = isWarningOrError
      ? [warningOrErrorKey(message), keyOf(standardSeverities.error, message), keyOf(standardSeverities.warn, message)]
      : [keyOf(severityNumber, message)]
    const [earlier, later] = time === undefined ? [arrivalMillis, exactMillis] : [exactMillis, exactMillis]
    const sent = takeFirst(this.telemetry, [key, ...otherKeys], time ?? now, earlier, later)
    if (sent !== undefined) {
      this.telemetry.forget(sent)
      this.count++
      return
    }
    const record = { key, time: time ?? now, earlier, later }
    if (this.isHolding) this.hold({ ...record, add, bytes, cameAt: now })
    else {
      add()
      rememberIn(this.added, record)
    }
  }

  /**
   * Returns whether a record that came by OTLP was added already. What follows from it is pending until `commit` or `undo`, because a request
   * that is refused is sent again.
   *
   * @param time - ms since the Unix epoch; 0 for an unknown time
   * @param message - returns the message
   */
  isDuplicate(time: number, severityNumber: number, message: () => string | undefined): boolean {
    if (!this.isActive || time === 0) return false
    const text = message()
    if (text === undefined) return false
    const key = keyOf(severityNumber, text)
    const keys = isWarningOrErrorNumber(severityNumber) ? [key, warningOrErrorKey(text)] : [key]
    const { request } = this
    const held = takeFirst(this.held, keys, time, 0, 0)
    if (held !== undefined) {
      request.held.push(held)
      return false
    }
    const added = takeFirst(this.added, keys, time, 0, 0)
    if (added === undefined) rememberIn(request.others, { key, time, earlier: 0, later: 0 })
    else request.added.push(added)
    return added !== undefined
  }

  /** Completes the comparison of a request whose records were added. */
  commit(): void {
    const { held, added, others } = this.request
    this.request = new ComparedRequest()
    for (const entry of held) {
      this.held.forget(entry)
      this.releaseMemory(entry.record)
    }
    for (const entry of added) this.added.forget(entry)
    for (let record = others.forgetOldest(); record !== undefined; record = others.forgetOldest())
      rememberIn(this.telemetry, record)
    if (held.length + added.length === 0) return
    this.count += held.length + added.length
    this.isHolding = true
    this.unmatched = 0
  }

  /** Discards the comparison of a request whose records were not added. */
  undo(): void {
    const { held, added } = this.request
    this.request = new ComparedRequest()
    for (const entry of [...held, ...added]) entry.isTaken = false
  }

  /** Adds all records that are held back. */
  flush(): void {
    this.release(Infinity)
  }

  private hold(record: HeldRecord): void {
    this.held.remember(record)
    this.heldBytes += record.bytes
    while (this.held.count > maxRemembered || this.heldBytes > maxHeldBytes) this.addOldest()
    this.schedule(holdMillis)
  }

  /** Adds the held records that came until a time. */
  private release(until: number): void {
    while ((this.held.oldest?.cameAt ?? Infinity) <= until && this.held.count > 0) this.addOldest()
  }

  private addOldest(): void {
    const record = this.held.forgetOldest()!
    const { key, time, earlier, later, add } = record
    this.releaseMemory(record)
    add()
    // An SDK can send it later.
    rememberIn(this.added, { key, time, earlier, later })
    if (++this.unmatched > maxUnmatched) this.isHolding = false
  }

  private releaseMemory(record: HeldRecord): void {
    this.heldBytes -= record.bytes
    // The list of held records keeps forgotten ones for longer.
    record.add = nothing
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
  // The record was added.
}

/** What was found for the records of a request. */
class ComparedRequest {
  readonly held: Entry<HeldRecord>[] = []
  readonly added: Entry[] = []
  /** The records that did not come in another way yet. */
  readonly others: RecordMemory = new RecordMemory()
}

function rememberIn(memory: RecordMemory, record: RememberedRecord): void {
  memory.remember(record)
  if (memory.count > maxRemembered) memory.forgetOldest()
}

/** Takes a record that has the first possible one of some keys. */
function takeFirst<R extends RememberedRecord>(
  memory: RecordMemory<R>,
  keys: readonly string[],
  time: number,
  earlier: number,
  later: number,
): Entry<R> | undefined {
  for (const key of keys) {
    const entry = memory.take(key, time, earlier, later)
    if (entry !== undefined) return entry
  }
  return undefined
}
