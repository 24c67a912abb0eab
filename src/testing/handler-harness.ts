import { isDeepStrictEqual } from 'node:util'
import { RecordView } from '../handler/record-view.ts'
import type { HandledRecord, Handler } from '../handler/handler.ts'
import type { LogRecord } from '../record/record.ts'
import { isPending } from './answers.ts'
import { hostile, type HandlerSample } from './handler-samples.ts'
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

interface RecordLoan {
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
  private leftOut: HandlerSample | undefined
  private loan: RecordLoan | undefined

  constructor(decorate: (next: Handler<string>) => Handler<string>, options: HandlerHarnessOptions) {
    this.options = options
    try {
      this.handler = decorate({ handle: (record) => this.onNext(record) })
    } catch (error) {
      this.fault(`threw ${nameOf(error)} when it was made`)
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
    const loan: RecordLoan = { record, times: 0 }
    const outer = this.loan
    this.loan = loan
    const threw = this.attempt(record)
    this.loan = outer
    BorrowedRecord.takeBack(record)
    if (loan.times > 1) this.fault(`handed a record on ${loan.times} times`)
    if (this.options.passesAll && loan.times === 0 && !threw) this.leftOut ??= sample
  }

  /**
   * Waits for late actions and checks that the handler has not changed logged values. For each part, only the first changed sample
   * is reported.
   */
  async settle(): Promise<void> {
    await pause(this.options.waitMillis)
    if (this.leftOut !== undefined) this.fault(`left out ${this.leftOut.name}`)
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
        this.fault('handle returned a promise, for which nobody waits')
        void Promise.resolve(answer).catch((error: unknown) => this.fault(`handle rejected with ${nameOf(error)}`))
      }
      return false
    } catch (error) {
      if (error !== hostile) this.fault(`handle threw ${nameOf(error)}`)
      return true
    }
  }

  private onNext(record: HandledRecord<string>): void {
    const { loan } = this
    if (loan !== undefined && record === loan.record) {
      loan.times++
      return this.encode()
    }
    this.fault(
      record instanceof BorrowedRecord
        ? 'handed a record on that it had at another time, or from another logger'
        : 'handed on something else than the record that it was given',
    )
  }
}
