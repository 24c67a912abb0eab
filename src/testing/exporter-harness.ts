import { member } from '../options/own-members.ts'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { resultOf } from '../pipeline/outcome.ts'
import { delay, monotonic } from '../platform/node/end-of-turn.ts'
import { resultFaults, isPending } from './export-results.ts'
import { shown } from './differences.ts'
import { borrow } from './borrowed-batch.ts'
import { nameOf } from './name-of-thrown.ts'
import { pause } from './pause.ts'
import { numbersIn, SampleRecords } from './sample-records.ts'

/** The tolerance for results after a deadline, in ms, because a busy machine runs other processes. */
const slackMillis = 250

/** A batch of a test case. */
export interface HarnessBatch {
  readonly lent: EncodedBatch
  readonly numbers: readonly number[]
  /** The number of accepted records, according to the last result. */
  accepted: number
  /** Whether its `export` is still pending. */
  isOpen: boolean
  /** Ends the loan of the batch: later reads are faults. */
  takeBack(): void
}

/**
 * Calls an exporter as a pipeline does: one batch at a time, and no call before the previous result. Violations are added to
 * `faults` as sentences; errors of the exporter are not propagated.
 */
export class ExporterHarness {
  readonly faults: string[] = []
  readonly exporter: Exporter
  private readonly subject: ExporterSubject
  private readonly samples: SampleRecords
  private readonly timeoutMillis: number
  private readonly first: number
  /** The numbers of accepted records, in order, and of records that may have arrived. */
  private readonly taken: number[] = []
  private readonly possiblyArrived = new Set<number>()
  private mayRepeat = false
  private mayMiss = 0

  constructor(subject: ExporterSubject, firstNumber: number, timeoutMillis: number) {
    this.subject = subject
    this.exporter = subject.exporter
    this.samples = new SampleRecords(subject.exporter, firstNumber)
    this.first = firstNumber
    this.timeoutMillis = timeoutMillis
  }

  /** The number after the last record of this harness. */
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

  /** Delivers a batch as the pipeline does. It is a fault when a working destination does not accept it completely. */
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
          `${batch.accepted} of ${batch.numbers.length} records were accepted although the destination works: ${shown(result)}`,
        )
        return
      }
      await pause(wait)
    }
  }

  /** Calls `export` with a batch. */
  begin(batch: HarnessBatch, signal?: AbortSignal): unknown {
    const begun = this.attempt('export', () => this.exporter.export(batch.lent, signal))
    if (isPending(begun)) {
      batch.isOpen = true
      const close = () => void (batch.isOpen = false)
      begun.then(close, close)
    }
    return begun
  }

  /** Waits for the result of `begin` and counts it. */
  async answered(
    batch: HarnessBatch,
    begun: unknown,
    millis: number = this.timeoutMillis,
  ): Promise<ExportResult | undefined> {
    const answer = await this.settled('export', begun, millis)
    if (answer !== none) batch.takeBack()
    return answer === none || answer === broken ? this.lose(batch) : this.count(batch, answer)
  }

  /**
   * Exports a batch synchronously. `millis` is the time until the deadline; a negative value means that the deadline has passed.
   */
  exportSync(batch: HarnessBatch, millis: number, final: boolean): ExportResult | undefined {
    const start = monotonic()
    const answer = this.attempt('exportSync', () => this.exporter.exportSync!(batch.lent, start + millis, final))
    const late = monotonic() - start - Math.max(0, millis)
    if (late > slackMillis) this.fault(`exportSync returned ${Math.round(late)} ms after its deadline`)
    if (answer === broken) return this.lose(batch)
    if (isPending(answer)) {
      answer.then(undefined, () => {})
      this.fault('exportSync returned a promise, but must be synchronous')
      return this.lose(batch)
    }
    const before = batch.accepted
    const result = this.count(batch, answer)
    if (batch.accepted < before) this.fault(`exportSync first accepted ${before} records, and then ${batch.accepted}`)
    return result
  }

  /** Calls `flush` or `shutdown` and waits for its promise. */
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

  /** Checks that exactly the accepted records have arrived: each once, complete, and in order. */
  async checkArrived(): Promise<void> {
    if (member(this.subject, 'received') === undefined) return
    const { taken } = this
    const all = numbersIn(await this.subject.received!())
    const own = all.filter((number) => Math.abs(number) >= this.first && Math.abs(number) < this.following)
    const complete = own.filter((number) => number > 0)
    const missing = taken.filter((number) => !complete.includes(number))
    const incomplete = missing.filter((number) => own.includes(-number))
    const surplus = complete.filter((number) => !taken.includes(number) && !this.possiblyArrived.has(number))
    const expected = complete.filter((number) => taken.includes(number))
    const repeated = expected.filter((number, index) => expected.indexOf(number) < index)
    if (missing.length > this.mayMiss) this.fault(`accepted but not delivered: ${listed(missing)}`)
    if (incomplete.length > 0) this.fault(`truncated: ${listed(incomplete)}`)
    if (surplus.length > 0) this.fault(`delivered but not accepted: ${listed(surplus)}`)
    if (this.mayRepeat) return
    if (repeated.length > 0) this.fault(`delivered more than once: ${listed(repeated)}`)
    else if (expected.some((number, index) => index > 0 && number < expected[index - 1]!)) {
      this.fault(`delivered out of order: ${listed(expected)}`)
    }
  }

  fault(sentence: string): void {
    if (!this.faults.includes(sentence)) this.faults.push(sentence)
  }

  /** Calls a method of the exporter and reports its error. */
  private attempt(method: string, call: () => unknown): unknown {
    try {
      return call()
    } catch (error) {
      this.fault(`${method} threw ${nameOf(error)}`)
      return broken
    }
  }

  /** Returns the resolved value of a method's result, within the time limit. */
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
    if (first === none) this.fault(`${method} did not settle within ${millis} ms`)
    return first
  }

  /** Marks the records of a batch as possibly delivered, because the outcome is unknown. */
  private lose({ numbers }: HarnessBatch): undefined {
    for (const number of numbers) this.possiblyArrived.add(number)
  }

  /** Counts a result. A later result for the same batch counts from its first record again. */
  private count(batch: HarnessBatch, answer: unknown): ExportResult | undefined {
    const { numbers } = batch
    const faults = resultFaults(answer, numbers.length)
    for (const fault of faults) this.fault(fault)
    const result = resultOf(answer)
    if (result === undefined || faults.length > 0) return this.lose(batch)
    batch.accepted = result.status === 'accepted' ? numbers.length : result.accepted
    this.taken.push(...numbers.slice(0, batch.accepted).filter((number) => !this.taken.includes(number)))
    if (result.status === 'unknown')
      for (const number of numbers.slice(batch.accepted)) this.possiblyArrived.add(number)
    if (result.maybeDuplicated !== undefined) this.mayRepeat = true
    for (const { records } of result.refused ?? []) this.mayMiss += records
    return result
  }
}

/** Markers for a result that did not arrive in time, and for a thrown error. */
const none = Symbol('none')
const broken = Symbol('broken')

const host: ExporterHost = {
  reportDiagnostic() {
    // a failure of the destination is not a violation of the contract
  },
  monotonic,
  exitTimeoutMillis: 2_000,
}

function listed(numbers: readonly number[]): string {
  const remaining = numbers.length - 10
  return `${numbers.slice(0, 10).join(', ')}${remaining > 0 ? ` and ${remaining} more` : ''}`
}

/** An exporter to check, with optional access to its destination. */
export interface ExporterSubject {
  /** A new exporter with a working destination. */
  readonly exporter: Exporter
  /**
   * Returns the contents of the destination in the order of arrival: text or bytes in any format, decompressed. When it is defined,
   * the exporter's results are compared with these contents. It is called each time records were accepted.
   */
  received?(): string | Uint8Array | Promise<string | Uint8Array>
  /** Makes the destination reject everything from now on, to check how the exporter handles failures. */
  fail?(): void | Promise<void>
  /** Releases resources. Called after the check, whatever its result. */
  close?(): void | Promise<void>
}
