import { callHook, isHookRunning } from '../encode/hooks.ts'
import type { Counters } from '../pipeline/counters.ts'
import { onRejection, synchronous } from '../options/observe-promise.ts'
import { member } from '../options/own-members.ts'
import type { ConfigurationProblem, OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { RecordView, HandlerMisuse } from './record-view.ts'
import type { HandledRecord, Handler } from './handler.ts'
import type { RecordHandler } from './record-handler.ts'

/** A record that is passed to a user's handler, and the handler after it. */
interface HandlerCall {
  readonly record: RecordView
  readonly source: LogRecord
  readonly end: RecordHandler
  isForwarded: boolean
}

/**
 * The guard around a user's handler, which is created once for a root logger and its children, so that its own counts apply to
 * all of them. Whatever the handler does, log calls do not throw, and each record is counted as often as it was forwarded, or
 * once as filtered.
 */
export class HandlerGuard {
  private readonly own: Handler<string> | undefined
  private readonly levels: ReadonlyMap<string, number>
  private readonly reportDiagnostic: OnDiagnostic
  /** Set only while the user's handler runs: records that are logged during encoding are passed to the handler like any other. */
  private current: HandlerCall | undefined

  /**
   * @param decorate - the user's function that creates the handler
   * @param problems - receives the problem if it returns no valid handler
   */
  constructor(
    decorate: (next: Handler<string>) => Handler<string>,
    levels: ReadonlyMap<string, number>,
    reportDiagnostic: OnDiagnostic,
    problems: ConfigurationProblem[],
  ) {
    this.levels = levels
    this.reportDiagnostic = reportDiagnostic
    try {
      this.own = synchronous(decorate({ handle: (record) => this.forward(record) }), 'handler')
      if (typeof member(this.own, 'handle') === 'function') return
    } catch {
      // The problem below does not include the error, which can contain anything.
    }
    const message = 'must be a function that returns a handler: an object with a `handle` function'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'handler', message })
  }

  /**
   * Returns a handler that calls the user's handler before `end`.
   *
   * @param allCounters - counters of all outputs, in which records that the user's handler drops count as filtered
   */
  before(end: RecordHandler, allCounters: readonly Counters[]): RecordHandler {
    return {
      handle: (record: LogRecord) => this.handle(record, end, allCounters),
      withRules: (rules: Rules) => this.before(end.withRules(rules), allCounters),
    }
  }

  /** Throws only if the stack is exhausted, and then before anything was counted. */
  private handle(source: LogRecord, end: RecordHandler, allCounters: readonly Counters[]): void {
    // Records that the handler itself logs bypass it, and so do records that are logged too deep inside other hooks.
    if (this.current !== undefined || isHookRunning(source)) return end.handle(source)
    const current: HandlerCall = { record: new RecordView(source, this.levels), source, end, isForwarded: false }
    let failed = false
    let reason: unknown
    try {
      this.current = current
      const returned: unknown = callHook(source, () => this.own!.handle(current.record))
      onRejection(returned, () => this.reportDiagnostic(rejected))
    } catch (error) {
      failed = true
      reason = error
    } finally {
      this.current = undefined
    }
    if (!current.isForwarded) {
      if (failed) end.handle(source)
      // Counted without a call, so that an exhausted stack leaves either all outputs counted or none.
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
      // The stack is exhausted; the record was already counted.
    }
  }

  /** Forwards a record. The user's handler can call this at any time, with any argument. */
  private forward(record: HandledRecord<string>): void {
    const { current } = this
    if (current === undefined || (record !== current.record && record instanceof RecordView))
      return this.reportDiagnostic(late)
    if (record !== current.record)
      throw new HandlerMisuse('the handler passed another object to next.handle(); pass the record that it received')
    this.current = undefined
    try {
      current.end.handle(RecordView.changed(current.record, current.source))
      current.isForwarded = true
    } finally {
      this.current = current
    }
  }

  /** Reports that the handler threw. The thrown value is user code, so accessing it can throw too. */
  private fail(reason: unknown): void {
    let problem = threw
    try {
      if (reason instanceof HandlerMisuse) problem = { code: threw.code, message: reason.message }
    } catch {
      // `reason` is a proxy that throws.
    }
    this.reportDiagnostic(problem)
  }
}

const late: Diagnostic = {
  code: 'SLUICE_HANDLER_LATE',
  message:
    'the handler called next.handle() after handle() had returned, so the record counts as filtered; call it before',
}

const threw: Diagnostic = {
  code: 'SLUICE_HANDLER_FAILED',
  message: 'the handler threw; the record is written unchanged, unless it was already passed to next.handle()',
}

const rejected: Diagnostic = {
  code: 'SLUICE_HANDLER_FAILED',
  message:
    'the handler returned a promise that rejected; handlers must be synchronous. A record not passed to next.handle() counts as filtered',
}
