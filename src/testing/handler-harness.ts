import { isDeepStrictEqual } from 'node:util'
import { RecordView } from '../handler/record-view.ts'
import type { HandledRecord, Handler } from '../handler/handler.ts'
import type { LogRecord } from '../record/record.ts'
import { isPending } from './export-results.ts'
import { throwingError, type HandlerSample } from './handler-samples.ts'
import { BorrowedRecord } from './borrowed-record.ts'
import { nameOf } from './name-of-thrown.ts'
import { pause } from './pause.ts'
import { member } from '../options/own-members.ts'

/** Options of a `HandlerHarness`. */
export interface HandlerHarnessOptions {
  readonly levels: ReadonlyMap<string, number>
  /** Whether the handler passes on every record. */
  readonly passesAll: boolean
  /** How long to wait for late actions of the handler, in ms. */
  readonly waitMillis: number
}

interface HandlerCall {
  readonly record: BorrowedRecord
  times: number
}

/** Passes records to a handler as a logger does, and collects violations of the contract. */
export class HandlerHarness {
  readonly faults: string[] = []
  /** Called in place of encoding when the handler passes a record on. */
  encode: () => void = () => {}
  private readonly options: HandlerHarnessOptions
  private readonly handler: Handler<string> | undefined
  private readonly samples: (readonly [HandlerSample, LogRecord])[] = []
  /** The first sample that the handler omitted although it must pass on all. */
  private omittedSample: HandlerSample | undefined
  private currentCall: HandlerCall | undefined

  constructor(decorate: (next: Handler<string>) => Handler<string>, options: HandlerHarnessOptions) {
    this.options = options
    try {
      this.handler = decorate({ handle: (record) => this.onNext(record) })
    } catch (error) {
      this.fault(`threw ${nameOf(error)} when it was called with the next handler`)
    }
  }

  /** Whether the decorator returned a handler. */
  get isHandler(): boolean {
    return typeof (this.handler && member(this.handler, 'handle')) === 'function'
  }

  /** Passes a record of this kind to the handler. */
  log(sample: HandlerSample): void {
    const source = sample.make()
    this.samples.push([sample, source])
    const record = new BorrowedRecord(new RecordView(source, this.options.levels), (how) => this.fault(how))
    const call: HandlerCall = { record, times: 0 }
    const outer = this.currentCall
    this.currentCall = call
    const threw = this.attempt(record)
    this.currentCall = outer
    BorrowedRecord.takeBack(record)
    if (call.times > 1) this.fault(`passed on a record ${call.times} times`)
    if (this.options.passesAll && call.times === 0 && !threw) this.omittedSample ??= sample
  }

  /**
   * Waits for late actions and checks that the handler has not changed logged values. For each part, only the first changed sample
   * is reported.
   */
  async settle(): Promise<void> {
    await pause(this.options.waitMillis)
    if (this.omittedSample !== undefined) this.fault(`omitted ${this.omittedSample.name}`)
    for (const part of ['attributes', 'body', 'exception'] as const) {
      const changed = this.samples.find(
        ([{ isHostile, make }, source]) => !isHostile && !isDeepStrictEqual(source[part], make()[part]),
      )
      if (changed !== undefined) this.fault(`changed the ${part} of ${changed[0].name}`)
    }
  }

  fault(sentence: string): void {
    if (!this.faults.includes(sentence)) this.faults.push(sentence)
  }

  /** Calls the handler. Returns whether it threw. */
  private attempt(record: BorrowedRecord): boolean {
    try {
      const answer: unknown = this.handler!.handle(record)
      if (isPending(answer)) {
        this.fault('handle returned a promise, but must be synchronous')
        void Promise.resolve(answer).catch((error: unknown) => this.fault(`handle rejected with ${nameOf(error)}`))
      }
      return false
    } catch (error) {
      if (error !== throwingError) this.fault(`handle threw ${nameOf(error)}`)
      return true
    }
  }

  private onNext(record: HandledRecord<string>): void {
    const call = this.currentCall
    if (call !== undefined && record === call.record) {
      call.times++
      return this.encode()
    }
    this.fault(
      record instanceof BorrowedRecord
        ? 'passed on a record of an earlier call or of another logger'
        : 'passed on another object than the record that it received',
    )
  }
}
