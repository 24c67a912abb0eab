import { callHook, hookIsRunning } from '../encode/hooks.ts'
import type { Counters } from '../pipeline/counters.ts'
import { onRejection, synchronous } from '../options/observe-promise.ts'
import { member } from '../options/own-members.ts'
import type { ConfigurationProblem, OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { RecordView, HandlerMisuse } from './record-view.ts'
import type { HandledRecord, Handler } from './handler.ts'
import type { RecordHandler } from './record-handler.ts'

/** A record that a handler of a user's has at the moment, and where it goes from there. */
interface HandlerCall {
  readonly record: RecordView
  readonly source: LogRecord
  readonly end: RecordHandler
  handedOn: boolean
}

/**
 * A handler of a user's, made once for a family of loggers, so that what it counts is counted for all of them. Whatever it does,
 * no call throws, and each record is counted as often as it was handed on, or once as filtered.
 */
export class HandlerGuard {
  private readonly own: Handler<string> | undefined
  private readonly levels: ReadonlyMap<string, number>
  private readonly reportDiagnostic: OnDiagnostic
  /** Only while code of the user's runs: what is logged while a record is encoded is handled as any other. */
  private loan: HandlerCall | undefined

  /** `decorate` is the user's; what is wrong with what it returns is added to `problems`. */
  constructor(
    decorate: (next: Handler<string>) => Handler<string>,
    levels: ReadonlyMap<string, number>,
    reportDiagnostic: OnDiagnostic,
    problems: ConfigurationProblem[],
  ) {
    this.levels = levels
    this.reportDiagnostic = reportDiagnostic
    try {
      this.own = synchronous(decorate({ handle: (record) => this.handOn(record) }), 'handler')
      if (typeof member(this.own, 'handle') === 'function') return
    } catch {
      // told without a word of what was thrown
    }
    const message = 'must be a function that returns a handler, an object with a function `handle`'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'handler', message })
  }

  /**
   * Puts it in front of the handler of a logger.
   *
   * @param allCounters - of the outputs that would have had what it leaves out
   */
  before(end: RecordHandler, allCounters: readonly Counters[]): RecordHandler {
    return {
      handle: (record: LogRecord) => this.handle(record, end, allCounters),
      withRules: (rules: Rules) => this.before(end.withRules(rules), allCounters),
    }
  }

  /** Throws only where nothing was counted: on an exhausted stack. */
  private handle(source: LogRecord, end: RecordHandler, allCounters: readonly Counters[]): void {
    // What it logs itself goes past it, and so does what is logged too deep inside of other hooks.
    if (this.loan !== undefined || hookIsRunning(source)) return end.handle(source)
    const loan: HandlerCall = { record: new RecordView(source, this.levels), source, end, handedOn: false }
    let failed = false
    let reason: unknown
    try {
      this.loan = loan
      const answer: unknown = callHook(source, () => this.own!.handle(loan.record))
      onRejection(answer, () => this.reportDiagnostic(rejected))
    } catch (error) {
      failed = true
      reason = error
    } finally {
      this.loan = undefined
    }
    if (!loan.handedOn) {
      if (failed) end.handle(source)
      // Counted without a call: an exhausted stack must find all of them counted, or none.
      else {
        for (let i = 0; i < allCounters.length; i++) {
          allCounters[i]!.emitted++
          allCounters[i]!.filtered++
        }
      }
    }
    try {
      if (failed) this.fail(reason)
    } catch {
      // an exhausted stack: the record was counted already
    }
  }

  /** What the user's handler calls. It may call it at any time, with anything. */
  private handOn(record: HandledRecord<string>): void {
    const { loan } = this
    if (loan === undefined || (record !== loan.record && record instanceof RecordView))
      return this.reportDiagnostic(late)
    if (record !== loan.record)
      throw new HandlerMisuse('a handler handed on another object than the record that it was given')
    this.loan = undefined
    try {
      loan.end.handle(RecordView.changed(loan.record, loan.source))
      loan.handedOn = true
    } finally {
      this.loan = loan
    }
  }

  /** What it threw may be as hostile as what threw it. */
  private fail(reason: unknown): void {
    let problem = threw
    try {
      if (reason instanceof HandlerMisuse) problem = { code: threw.code, message: reason.message }
    } catch {
      // a proxy
    }
    this.reportDiagnostic(problem)
  }
}

const late: Diagnostic = {
  code: 'SLUICE_HANDLER_LATE',
  message: 'a handler handed a record on after it had returned; the record counts as filtered',
}

const threw: Diagnostic = {
  code: 'SLUICE_HANDLER_FAILED',
  message: 'a handler threw; a record that it had not handed on is written as it was said',
}

const rejected: Diagnostic = {
  code: 'SLUICE_HANDLER_FAILED',
  message: 'a handler returned a promise that rejected; a record that it had not handed on counts as filtered',
}
