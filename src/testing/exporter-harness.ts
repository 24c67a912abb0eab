import { member } from '../options/own-members.ts'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { resultOf } from '../pipeline/outcome.ts'
import { delay, monotonic } from '../platform/node/end-of-turn.ts'
import { answerFaults, isPending } from './answers.ts'
import type { ExporterSubject } from './check-exporter.ts'
import { shown } from './differences.ts'
import { borrow } from './borrowed-batch.ts'
import { nameOf } from './name-of-thrown.ts'
import { pause } from './pause.ts'
import { numbersIn, SampleRecords } from './sample-records.ts'

/** How much later than a deadline an answer may come, in ms: a busy machine runs others meanwhile. */
const slackMillis = 250

/** A batch as a case has it. */
export interface HarnessBatch {
  readonly lent: EncodedBatch
  readonly numbers: readonly number[]
  /** How many records were accepted, whatever was asked. */
  accepted: number
  /** Its `export` has not answered. */
  isOpen: boolean
  /** Nobody reads it any more. */
  takeBack(): void
}

/**
 * Works one exporter as a pipeline does: one batch at a time, never again before the answer. What it does against the contract is
 * a sentence in `faults`; nothing that it throws gets out.
 */
export class ExporterHarness {
  readonly faults: string[] = []
  readonly exporter: Exporter
  private readonly subject: ExporterSubject
  private readonly samples: SampleRecords
  private readonly timeoutMillis: number
  private readonly first: number
  /** The numbers of records that were accepted, in order, and of those that may have arrived. */
  private readonly taken: number[] = []
  private readonly perhaps = new Set<number>()
  private mayRepeat = false
  private mayMiss = 0

  constructor(subject: ExporterSubject, firstNumber: number, timeoutMillis: number) {
    this.subject = subject
    this.exporter = subject.exporter
    this.samples = new SampleRecords(subject.exporter, firstNumber)
    this.first = firstNumber
    this.timeoutMillis = timeoutMillis
  }

  /** The number after those of this lab's records. */
  get following(): number {
    return this.samples.following
  }

  has(method: 'start' | 'exportSync' | 'keepAlive' | 'flush' | 'shutdown'): boolean {
    return typeof member(this.exporter, method) === 'function'
  }

  get canFail(): boolean {
    return member(this.subject, 'fail') !== undefined
  }

  start(): void {
    if (this.has('start')) this.attempt('start', () => this.exporter.start!(host))
  }

  keepAlive(alive: boolean): void {
    if (this.has('keepAlive')) this.attempt('keepAlive', () => this.exporter.keepAlive!(alive))
  }

  batch(count: number): HarnessBatch {
    const { buffer, numbers, done } = this.samples.batch(count)
    const { lent, takeBack } = borrow(buffer, (how) => this.fault(how))
    return {
      lent,
      numbers,
      accepted: 0,
      isOpen: false,
      takeBack() {
        takeBack()
        done()
      },
    }
  }

  /** Has a batch delivered as if the pipeline did, and finds a fault where a destination that works does not take it whole. */
  async deliver(count: number): Promise<void> {
    const deadline = monotonic() + this.timeoutMillis
    for (;;) {
      const batch = this.batch(count)
      const result = await this.answered(batch, this.begin(batch))
      if (result === undefined) return
      if (batch.accepted === batch.numbers.length && result.refused === undefined) return
      const wait = result.status === 'retryable' ? (result.retryAfterMillis ?? 10) : Infinity
      if (batch.accepted > 0 || !(monotonic() + wait < deadline)) {
        this.fault(
          `a destination that works took ${batch.accepted} of ${batch.numbers.length} records: ${shown(result)}`,
        )
        return
      }
      await pause(wait)
    }
  }

  /** Hands a batch over. */
  begin(batch: HarnessBatch, signal?: AbortSignal): unknown {
    const begun = this.attempt('export', () => this.exporter.export(batch.lent, signal))
    if (isPending(begun)) {
      batch.isOpen = true
      const close = () => void (batch.isOpen = false)
      begun.then(close, close)
    }
    return begun
  }

  /** Waits for what `begin` gave, and counts it. */
  async answered(
    batch: HarnessBatch,
    begun: unknown,
    millis: number = this.timeoutMillis,
  ): Promise<ExportResult | undefined> {
    const answer = await this.settled('export', begun, millis)
    if (answer !== none) batch.takeBack()
    return answer === none || answer === broken ? this.lose(batch) : this.count(batch, answer)
  }

  /** Asks for a batch without the event loop. `millis`: how long it may take; below 0: the deadline is over. */
  exportSync(batch: HarnessBatch, millis: number, final: boolean): ExportResult | undefined {
    const start = monotonic()
    const answer = this.attempt('exportSync', () => this.exporter.exportSync!(batch.lent, start + millis, final))
    const late = monotonic() - start - Math.max(0, millis)
    if (late > slackMillis) this.fault(`exportSync answered ${Math.round(late)} ms after its deadline`)
    if (answer === broken) return this.lose(batch)
    if (isPending(answer)) {
      answer.then(undefined, () => {})
      this.fault('exportSync answered with a promise, for which nobody can wait')
      return this.lose(batch)
    }
    const before = batch.accepted
    const result = this.count(batch, answer)
    if (batch.accepted < before) this.fault(`exportSync had accepted ${before} records, and then ${batch.accepted}`)
    return result
  }

  /** Calls `flush` or `shutdown`, and waits for it. */
  async call(method: 'flush' | 'shutdown'): Promise<void> {
    if (!this.has(method)) return
    await this.settled(
      method,
      this.attempt(method, () => this.exporter[method]!()),
      this.timeoutMillis,
    )
  }

  async fail(): Promise<void> {
    await this.subject.fail!()
  }

  /** What was accepted has arrived: each record once, whole, and in order; and nothing else has. */
  async checkArrived(): Promise<void> {
    if (member(this.subject, 'received') === undefined) return
    const { taken } = this
    const all = numbersIn(await this.subject.received!())
    const own = all.filter((number) => Math.abs(number) >= this.first && Math.abs(number) < this.following)
    const whole = own.filter((number) => number > 0)
    const missing = taken.filter((number) => !whole.includes(number))
    const torn = missing.filter((number) => own.includes(-number))
    const surplus = whole.filter((number) => !taken.includes(number) && !this.perhaps.has(number))
    const known = whole.filter((number) => taken.includes(number))
    const again = known.filter((number, index) => known.indexOf(number) < index)
    if (missing.length > this.mayMiss) this.fault(`accepted, and not there: ${listed(missing)}`)
    if (torn.length > 0) this.fault(`without its end: ${listed(torn)}`)
    if (surplus.length > 0) this.fault(`there, and not accepted: ${listed(surplus)}`)
    if (this.mayRepeat) return
    if (again.length > 0) this.fault(`there more than once: ${listed(again)}`)
    else if (known.some((number, index) => index > 0 && number < known[index - 1]!)) {
      this.fault(`not in the order in which they were exported: ${listed(known)}`)
    }
  }

  fault(sentence: string): void {
    if (!this.faults.includes(sentence)) this.faults.push(sentence)
  }

  /** Runs a function of the exporter. */
  private attempt(method: string, call: () => unknown): unknown {
    try {
      return call()
    } catch (error) {
      this.fault(`${method} threw ${nameOf(error)}`)
      return broken
    }
  }

  /** What a function of the exporter has promised, or returned. */
  private async settled(method: string, value: unknown, millis: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const limit = delay(millis, () => resolve(none))
    limit.keepAlive(true)
    const outcome = Promise.resolve(value).catch((error: unknown) => {
      this.fault(`${method} rejected with ${nameOf(error)}`)
      return broken
    })
    const first = await Promise.race([outcome, promise])
    limit.cancel()
    if (first === none) this.fault(`${method} gave no answer within ${millis} ms`)
    return first
  }

  /** Nobody knows what has become of it. */
  private lose({ numbers }: HarnessBatch): undefined {
    for (const number of numbers) this.perhaps.add(number)
  }

  /** Counts an answer. One that is given later for the same batch counts from the same front. */
  private count(batch: HarnessBatch, answer: unknown): ExportResult | undefined {
    const { numbers } = batch
    const faults = answerFaults(answer, numbers.length)
    for (const fault of faults) this.fault(fault)
    const result = resultOf(answer)
    if (result === undefined || faults.length > 0) return this.lose(batch)
    batch.accepted = result.status === 'accepted' ? numbers.length : result.accepted
    this.taken.push(...numbers.slice(0, batch.accepted).filter((number) => !this.taken.includes(number)))
    if (result.status === 'unknown') for (const number of numbers.slice(batch.accepted)) this.perhaps.add(number)
    if (result.maybeDuplicated !== undefined) this.mayRepeat = true
    for (const { records } of result.refused ?? []) this.mayMiss += records
    return result
  }
}

/** No answer within the time, and none that could be one. */
const none = Symbol('none')
const broken = Symbol('broken')

const host: ExporterHost = {
  reportDiagnostic() {
    // trouble of the destination is no breach of the contract
  },
  monotonic,
  exitTimeoutMillis: 2_000,
}

function listed(numbers: readonly number[]): string {
  const more = numbers.length - 10
  return `${numbers.slice(0, 10).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
