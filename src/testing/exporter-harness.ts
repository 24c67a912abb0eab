import { member } from '../options/own-members.ts'
import type { EncodedBatch, Exporter, ExporterHost, ExportResult } from '../pipeline/exporter.ts'
import { parseResult } from '../pipeline/outcome.ts'
import { delay, monotonic } from '../platform/node/end-of-turn.ts'
import { resultFaults, isPromiseLike } from './export-results.ts'
import { formatValue } from './differences.ts'
import { lendBatch } from './borrowed-batch.ts'
import { describeThrown } from './describe-thrown.ts'
import { pause } from './pause.ts'
import { numbersIn, SampleRecords } from './sample-records.ts'

/** How late a result may be, in ms, because a busy machine runs other processes. */
const maxLateMillis = 250

/** A batch of a test case. */
export interface HarnessBatch {
  readonly lentBatch: EncodedBatch
  /** The numbers that the texts of the records contain, by which they are recognized when they arrive. */
  readonly recordNumbers: readonly number[]
  /** The number of accepted records, according to the last result. */
  acceptedCount: number
  /** Whether its `export` is still pending. */
  isExportPending: boolean
  /** Ends the loan of the batch: reads after that are faults. */
  takeBack(): void
}

/** Options of `ExporterHarness.exportSync`. */
interface ExportSyncOptions {
  /** The time until the deadline, in ms; negative if the deadline has passed. */
  readonly millisToDeadline: number
  /** The parameter `final` of the exporter's `exportSync`, which is true while the process exits. */
  readonly isExit: boolean
}

/**
 * Calls an exporter as a pipeline does. Violations of the contract are added to `faults` as sentences; errors of the exporter are not
 * propagated.
 */
export class ExporterHarness {
  readonly faults: string[] = []
  readonly exporter: Exporter
  private readonly subject: ExporterSubject
  private readonly samples: SampleRecords
  private readonly timeoutMillis: number
  private readonly firstNumber: number
  /** The numbers of the accepted records, in order. */
  private readonly acceptedNumbers: number[] = []
  /** The numbers of records that may have arrived without being accepted. */
  private readonly possiblyArrived = new Set<number>()
  /** Whether a result has reported possible duplicates. */
  private mayHaveDuplicates = false
  /**
   * The number of records that results count as accepted but list in `refused`: the exporter is done with them, and they do not have
   * to arrive.
   */
  private refusedCount = 0

  constructor(subject: ExporterSubject, firstNumber: number, timeoutMillis: number) {
    this.subject = subject
    this.exporter = subject.exporter
    this.samples = new SampleRecords(subject.exporter, firstNumber)
    this.firstNumber = firstNumber
    this.timeoutMillis = timeoutMillis
  }

  /** The number after the last record of this harness. */
  get nextNumber(): number {
    return this.samples.nextNumber
  }

  /** Returns whether the exporter has an optional method. */
  hasMethod(method: 'start' | 'exportSync' | 'keepAlive' | 'flush' | 'shutdown'): boolean {
    return typeof member(this.exporter, method) === 'function'
  }

  /** Whether the subject can make its destination fail. */
  get canDestinationFail(): boolean {
    return member(this.subject, 'fail') !== undefined
  }

  start(): void {
    if (this.hasMethod('start')) this.attempt('start', () => this.exporter.start!(host))
  }

  keepAlive(alive: boolean): void {
    if (this.hasMethod('keepAlive')) this.attempt('keepAlive', () => this.exporter.keepAlive!(alive))
  }

  /** Creates a batch of this many records, or of as many as the exporter accepts at once. */
  createBatch(count: number): HarnessBatch {
    const { buffer, numbers: recordNumbers, release } = this.samples.createBatch(count)
    const { lentBatch, takeBack } = lendBatch(buffer, (misuse) => this.addFault(misuse))
    return {
      lentBatch,
      recordNumbers,
      acceptedCount: 0,
      isExportPending: false,
      takeBack() {
        takeBack()
        release()
      },
    }
  }

  /** Delivers records as a pipeline does. It is a fault when the exporter does not accept all of them although the destination works. */
  async deliver(count: number): Promise<void> {
    const deadline = monotonic() + this.timeoutMillis
    for (;;) {
      const batch = this.createBatch(count)
      const result = await this.awaitResult(batch, this.startExport(batch))
      if (result === undefined) return
      const recordCount = batch.recordNumbers.length
      if (batch.acceptedCount === recordCount && result.refused === undefined) return
      const waitMillis = result.status === 'retryable' ? (result.retryAfterMillis ?? 10) : Infinity
      if (batch.acceptedCount > 0 || !(monotonic() + waitMillis < deadline)) {
        this.addFault(
          `${batch.acceptedCount} of ${recordCount} records were accepted although the destination works: ${formatValue(result)}`,
        )
        return
      }
      await pause(waitMillis)
    }
  }

  /** Calls `export` with a batch. Returns what it returns, or `callFailed`. */
  startExport(batch: HarnessBatch, signal?: AbortSignal): unknown {
    const returned = this.attempt('export', () => this.exporter.export(batch.lentBatch, signal))
    if (isPromiseLike(returned)) {
      batch.isExportPending = true
      const onSettled = () => void (batch.isExportPending = false)
      returned.then(onSettled, onSettled)
    }
    return returned
  }

  /** Waits for the result of an export that `startExport` has returned, and counts it. */
  async awaitResult(
    batch: HarnessBatch,
    returned: unknown,
    millis: number = this.timeoutMillis,
  ): Promise<ExportResult | undefined> {
    const outcome = await this.settleWithin('export', returned, millis)
    if (outcome !== timedOut) batch.takeBack()
    return outcome === timedOut || outcome === callFailed
      ? this.markPossiblyArrived(batch)
      : this.countResult(batch, outcome)
  }

  /** Exports a batch synchronously, and counts the result. */
  exportSync(batch: HarnessBatch, { millisToDeadline, isExit }: ExportSyncOptions): ExportResult | undefined {
    const start = monotonic()
    const returned = this.attempt('exportSync', () =>
      this.exporter.exportSync!(batch.lentBatch, start + millisToDeadline, isExit),
    )
    const lateMillis = monotonic() - start - Math.max(0, millisToDeadline)
    if (lateMillis > maxLateMillis) this.addFault(`exportSync returned ${Math.round(lateMillis)} ms after its deadline`)
    if (returned === callFailed) return this.markPossiblyArrived(batch)
    if (isPromiseLike(returned)) {
      returned.then(undefined, () => {})
      this.addFault('exportSync returned a promise, but must be synchronous')
      return this.markPossiblyArrived(batch)
    }
    const acceptedBefore = batch.acceptedCount
    const result = this.countResult(batch, returned)
    if (batch.acceptedCount < acceptedBefore)
      this.addFault(`exportSync first accepted ${acceptedBefore} records, and then ${batch.acceptedCount}`)
    return result
  }

  /** Calls `flush` or `shutdown` and waits for its promise. */
  async callAndWait(method: 'flush' | 'shutdown'): Promise<void> {
    if (!this.hasMethod(method)) return
    await this.settleWithin(
      method,
      this.attempt(method, () => this.exporter[method]!()),
      this.timeoutMillis,
    )
  }

  /** Makes the destination fail from now on. */
  async failDestination(): Promise<void> {
    await this.subject.fail!()
  }

  /**
   * Checks that the accepted records have arrived: each once, complete, and in order. Refused records may be missing, records with an
   * unknown outcome may have arrived too, and if a result has reported possible duplicates, repetition and order are not checked.
   */
  async checkArrived(): Promise<void> {
    if (member(this.subject, 'received') === undefined) return
    const { acceptedNumbers } = this
    // The number of a record that arrived incomplete is negative.
    const received = numbersIn(await this.subject.received!())
    const ofThisHarness = received.filter(
      (number) => Math.abs(number) >= this.firstNumber && Math.abs(number) < this.nextNumber,
    )
    const complete = ofThisHarness.filter((number) => number > 0)
    const missing = acceptedNumbers.filter((number) => !complete.includes(number))
    const incomplete = missing.filter((number) => ofThisHarness.includes(-number))
    const unexpected = complete.filter(
      (number) => !acceptedNumbers.includes(number) && !this.possiblyArrived.has(number),
    )
    const expected = complete.filter((number) => acceptedNumbers.includes(number))
    const repeated = expected.filter((number, index) => expected.indexOf(number) < index)
    if (missing.length > this.refusedCount) this.addFault(`accepted but not delivered: ${listText(missing)}`)
    if (incomplete.length > 0) this.addFault(`truncated: ${listText(incomplete)}`)
    if (unexpected.length > 0) this.addFault(`delivered but not accepted: ${listText(unexpected)}`)
    if (this.mayHaveDuplicates) return
    if (repeated.length > 0) this.addFault(`delivered more than once: ${listText(repeated)}`)
    else if (expected.some((number, index) => index > 0 && number < expected[index - 1]!)) {
      this.addFault(`delivered out of order: ${listText(expected)}`)
    }
  }

  /** Adds a sentence to the faults, unless it is one of them. */
  addFault(sentence: string): void {
    if (!this.faults.includes(sentence)) this.faults.push(sentence)
  }

  /** Calls a method of the exporter. If it throws, that is a fault, and `callFailed` is returned. */
  private attempt(method: string, call: () => unknown): unknown {
    try {
      return call()
    } catch (error) {
      this.addFault(`${method} threw ${describeThrown(error)}`)
      return callFailed
    }
  }

  /**
   * Waits until what a method has returned is settled, for at most `millis`. Returns its value, or `callFailed` or `timedOut`, which
   * are faults.
   */
  private async settleWithin(method: string, returned: unknown, millis: number): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const timer = delay(millis, () => resolve(timedOut))
    timer.keepAlive(true)
    const outcome = Promise.resolve(returned).catch((error: unknown) => {
      this.addFault(`${method} rejected with ${describeThrown(error)}`)
      return callFailed
    })
    const first = await Promise.race([outcome, promise])
    timer.cancel()
    if (first === timedOut) this.addFault(`${method} did not settle within ${millis} ms`)
    return first
  }

  /** Notes that the records of a batch may have arrived, because the outcome is unknown. Returns undefined. */
  private markPossiblyArrived({ recordNumbers }: HarnessBatch): undefined {
    for (const number of recordNumbers) this.possiblyArrived.add(number)
  }

  /**
   * Counts a result and adds its faults. `accepted` in a later result for the same batch counts from the first record of the batch
   * again. Returns undefined for an invalid result.
   */
  private countResult(batch: HarnessBatch, returned: unknown): ExportResult | undefined {
    const { recordNumbers } = batch
    const faults = resultFaults(returned, recordNumbers.length)
    for (const fault of faults) this.addFault(fault)
    const result = parseResult(returned)
    if (result === undefined || faults.length > 0) return this.markPossiblyArrived(batch)
    batch.acceptedCount = result.status === 'accepted' ? recordNumbers.length : result.accepted
    const accepted = recordNumbers.slice(0, batch.acceptedCount)
    this.acceptedNumbers.push(...accepted.filter((number) => !this.acceptedNumbers.includes(number)))
    if (result.status === 'unknown')
      for (const number of recordNumbers.slice(batch.acceptedCount)) this.possiblyArrived.add(number)
    if (result.maybeDuplicated !== undefined) this.mayHaveDuplicates = true
    for (const { records } of result.refused ?? []) this.refusedCount += records
    return result
  }
}

/** The outcome of a method that did not settle in time. */
const timedOut = Symbol('timedOut')
/** The outcome of a method that threw or rejected. */
const callFailed = Symbol('callFailed')

const host: ExporterHost = {
  reportDiagnostic() {
    // A failure of the destination is not a violation of the contract.
  },
  monotonic,
  exitTimeoutMillis: 2_000,
}

function listText(numbers: readonly number[]): string {
  const omittedCount = numbers.length - 10
  return `${numbers.slice(0, 10).join(', ')}${omittedCount > 0 ? ` and ${omittedCount} more` : ''}`
}

/** An exporter to check, with optional access to its destination. */
export interface ExporterSubject {
  /** A new exporter with a working destination. */
  readonly exporter: Exporter
  /**
   * Returns the contents of the destination in the order of arrival: text or bytes in any format, decompressed. When it is defined,
   * the exporter's results are compared with these contents. It is called several times.
   */
  received?(): string | Uint8Array | Promise<string | Uint8Array>
  /** Makes the destination reject everything from now on, to check how the exporter handles failures. */
  fail?(): void | Promise<void>
  /** Releases resources. Called after the case for which the subject was created, whatever its result. */
  close?(): void | Promise<void>
}
