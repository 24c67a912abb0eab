import { isDeepStrictEqual } from 'node:util'
import { incrementCount } from '../handler/current-call.ts'
import { RecordView } from '../handler/record-view.ts'
import type { CreateHandler, HandledRecord, Handler } from '../handler/handler.ts'
import type { LogRecord } from '../record/record.ts'
import { isPromiseLike } from './export-results.ts'
import { toleratedError, type HandlerSample } from './handler-samples.ts'
import { BorrowedRecord } from './borrowed-record.ts'
import { describeThrown } from './describe-thrown.ts'
import { HarnessHost, type HandlerCall } from './harness-host.ts'
import { pause } from './pause.ts'
import { member } from '../options/own-members.ts'

/** Options of a `HandlerHarness`. */
export interface HandlerHarnessOptions {
  /** The severity numbers of the levels that the handler may set. */
  readonly levels: ReadonlyMap<string, number>
  /** Whether the handler must pass on every record. */
  readonly mustPassAll: boolean
  /** How long to wait for late actions of the handler, in ms. */
  readonly waitMillis: number
}

/** Passes records to a handler as a logger does, and collects violations of the contract. */
export class HandlerHarness {
  readonly faults: string[] = []
  /** Called in place of encoding when the handler passes a record on. */
  encode: () => void = () => {}
  /** The host that the handler has received. */
  readonly host: HarnessHost
  private readonly options: HandlerHarnessOptions
  private readonly handler: Handler<string> | undefined
  /** The samples that were logged, each with its record. */
  private readonly loggedSamples: (readonly [HandlerSample, LogRecord])[] = []
  /** The first sample that the handler omitted although it must pass on all. */
  private omittedSample: HandlerSample | undefined
  private currentCall: HandlerCall | undefined

  constructor(createHandler: CreateHandler<string>, options: HandlerHarnessOptions) {
    this.options = options
    this.host = new HarnessHost({
      levels: options.levels,
      addFault: (sentence) => this.addFault(sentence),
      callOf: (record) => (record === this.currentCall?.record ? this.currentCall : undefined),
      pass: (logRecord, next) => this.pass(logRecord, next),
    })
    try {
      this.handler = createHandler({ handle: (record) => this.onNext(record) }, this.host.host)
    } catch (error) {
      this.addFault(`threw ${describeThrown(error)} when it was called with the next handler`)
    }
  }

  /** Whether the decorator returned a handler. */
  get hasHandler(): boolean {
    return typeof (this.handler && member(this.handler, 'handle')) === 'function'
  }

  /** Passes a record of this kind to the handler. */
  log(sample: HandlerSample): void {
    const logRecord = sample.make()
    logRecord.time = this.host.time
    this.loggedSamples.push([sample, logRecord])
    const { call, result: threw } = this.lend(logRecord, (record) => this.callHandler(record))
    if (call.passCount > 1) this.addFault(`passed on a record ${call.passCount} times`)
    if (this.options.mustPassAll && call.passCount === 0 && !threw) this.omittedSample ??= sample
  }

  /**
   * Waits for late actions, and checks that the handler has omitted no record that it must pass on and has not changed logged
   * values. Only the first omitted sample is reported, and for each part the first changed one.
   */
  async settle(): Promise<void> {
    await pause(this.options.waitMillis)
    if (this.omittedSample !== undefined) this.addFault(`omitted ${this.omittedSample.name}`)
    for (const part of ['attributes', 'body', 'exception'] as const) {
      const changed = this.loggedSamples.find(
        ([{ isHostile, make }, logRecord]) => !isHostile && !isDeepStrictEqual(logRecord[part], make()[part]),
      )
      if (changed !== undefined) this.addFault(`changed the ${part} of ${changed[0].name}`)
    }
  }

  /** Adds a sentence to the faults, unless it is one of them. */
  addFault(sentence: string): void {
    if (!this.faults.includes(sentence)) this.faults.push(sentence)
  }

  /** Passes a record that the handler emits to a handler after it. */
  private pass(logRecord: LogRecord, next: Handler<string>): void {
    this.lend(logRecord, (record) => next.handle(record))
  }

  /** Calls a function with a record that is valid until the function returns. */
  private lend<T>(logRecord: LogRecord, use: (record: BorrowedRecord) => T) {
    const view = new RecordView(logRecord, { levels: this.options.levels, isHeld: false })
    const record = new BorrowedRecord(view, (misuse) => this.addFault(misuse))
    const call: HandlerCall = { record, passCount: 0, counter: undefined }
    const outerCall = this.currentCall
    this.currentCall = call
    try {
      const result = use(record)
      if (call.passCount === 0 && result !== true) this.countFiltered(call)
      return { call, result }
    } finally {
      this.currentCall = outerCall
      BorrowedRecord.takeBack(record)
    }
  }

  /** Counts a record that was not passed on, as the handler has requested. */
  private countFiltered({ counter }: HandlerCall): void {
    try {
      incrementCount(counter)
    } catch {
      this.addFault('gave a counter whose count cannot be set')
    }
  }

  /** Calls the handler. Returns whether it threw. */
  private callHandler(record: BorrowedRecord): boolean {
    try {
      const returned: unknown = this.handler!.handle(record)
      if (isPromiseLike(returned)) {
        this.addFault('handle returned a promise, but must be synchronous')
        void Promise.resolve(returned).catch((error: unknown) =>
          this.addFault(`handle rejected with ${describeThrown(error)}`),
        )
      }
      return false
    } catch (error) {
      if (error !== toleratedError) this.addFault(`handle threw ${describeThrown(error)}`)
      return true
    }
  }

  /** Called when the handler passes on a record. */
  private onNext(record: HandledRecord<string>): void {
    const call = this.currentCall
    if (call !== undefined && record === call.record) {
      call.passCount++
      return this.encode()
    }
    this.addFault(
      record instanceof BorrowedRecord
        ? 'passed on a record of an earlier call or of another logger'
        : 'passed on another object than the record that it received',
    )
  }
}
