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

/** What a lab needs to know of a handler. */
export interface HandlerHarnessOptions {
  readonly levels: ReadonlyMap<string, number>
  /** Whether it hands on every record. */
  readonly passesAll: boolean
  /** How long it may do something too late, in ms. */
  readonly waitMillis: number
}

interface Loan {
  readonly record: BorrowedRecord
  times: number
}

/** Gives records to one handler as a logger does, sees what becomes of them, and notes what is against the contract. */
export class HandlerHarness {
  readonly faults: string[] = []
  /** Called while a record is handed on, in place of its encoding. */
  encode: () => void = () => {}
  private readonly options: HandlerHarnessOptions
  private readonly handler: Handler<string> | undefined
  private readonly said: (readonly [HandlerSample, LogRecord])[] = []
  /** The first that it left out of those that it should hand on. */
  private leftOut: HandlerSample | undefined
  private loan: Loan | undefined

  constructor(decorate: (next: Handler<string>) => Handler<string>, options: HandlerHarnessOptions) {
    this.options = options
    try {
      this.handler = decorate({ handle: (record) => this.handedOn(record) })
    } catch (error) {
      this.fault(`threw ${nameOf(error)} when it was made`)
    }
  }

  /** Whether there is a handler at all. */
  get isHandler(): boolean {
    return typeof (this.handler && member(this.handler, 'handle')) === 'function'
  }

  /** Has the handler take a record of the kind. */
  say(sample: HandlerSample): void {
    const source = sample.make()
    this.said.push([sample, source])
    const record = new BorrowedRecord(new RecordView(source, this.options.levels), (how) => this.fault(how))
    const loan: Loan = { record, times: 0 }
    const outer = this.loan
    this.loan = loan
    const threw = this.attempt(record)
    this.loan = outer
    BorrowedRecord.takeBack(record)
    if (loan.times > 1) this.fault(`handed a record on ${loan.times} times`)
    if (this.options.passesAll && loan.times === 0 && !threw) this.leftOut ??= sample
  }

  /** Waits for what it does too late, and looks what has become of what it has seen: of many alike, the first is told. */
  async settle(): Promise<void> {
    await pause(this.options.waitMillis)
    if (this.leftOut !== undefined) this.fault(`left out ${this.leftOut.name}`)
    for (const part of ['attributes', 'body', 'exception'] as const) {
      const changed = this.said.find(
        ([{ isHostile, make }, source]) => !isHostile && !isDeepStrictEqual(source[part], make()[part]),
      )
      if (changed !== undefined) this.fault(`changed the ${part} of ${changed[0].name}`)
    }
  }

  fault(sentence: string): void {
    if (!this.faults.includes(sentence)) this.faults.push(sentence)
  }

  /** Returns whether it threw. */
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

  private handedOn(record: HandledRecord<string>): void {
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
