import { callHook, mustSkipHook } from '../encode/hooks.ts'
import type { Counters } from '../pipeline/counters.ts'
import { handleRejection, requireSynchronous } from '../options/observe-promise.ts'
import { member } from '../options/own-members.ts'
import type { ConfigurationProblem, OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
import type { LogRecord } from '../record/record.ts'
import type { Rules } from '../values/record-rules.ts'
import { RecordView, HandlerMisuse } from './record-view.ts'
import type { HandledRecord, Handler } from './handler.ts'
import type { RecordHandler } from './record-handler.ts'

/** A call of the user's handler. */
interface HandlerCall {
  /** The record as the user's handler receives it. */
  readonly record: RecordView
  readonly originalRecord: LogRecord
  /** The handler to which the user's handler can forward the record. */
  readonly next: RecordHandler
  isForwarded: boolean
}

/**
 * The guard around a user's handler. The handler is created once for a root logger and its children, so that its state, such as
 * the counts of a sampler, applies to all of them. Whatever it does, log calls do not throw, and each record is counted as often
 * as it was forwarded, or once as filtered. If it throws before it forwards the record, the unchanged record is forwarded.
 */
export class HandlerGuard {
  private readonly userHandler: Handler<string> | undefined
  /** The severity number of each level of the logger, by its name. */
  private readonly levels: ReadonlyMap<string, number>
  private readonly reportDiagnostic: OnDiagnostic
  /**
   * The running call of the user's handler. It is undefined while a forwarded record is encoded, so that records that are logged
   * meanwhile, for example by `toJSON`, are passed to the user's handler like any other.
   */
  private currentCall: HandlerCall | undefined

  /**
   * @param createHandler - the option `handler`: the user's function that creates the handler
   * @param problems - receives a problem if this function throws or returns no valid handler
   */
  constructor(
    createHandler: (next: Handler<string>) => Handler<string>,
    levels: ReadonlyMap<string, number>,
    reportDiagnostic: OnDiagnostic,
    problems: ConfigurationProblem[],
  ) {
    this.levels = levels
    this.reportDiagnostic = reportDiagnostic
    try {
      this.userHandler = requireSynchronous(createHandler({ handle: (record) => this.forward(record) }), 'handler')
      if (typeof member(this.userHandler, 'handle') === 'function') return
    } catch {
      // The problem below does not include the error, which can contain anything.
    }
    const message = 'must be a function that returns a handler: an object with a `handle` function'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'handler', message })
  }

  /**
   * Returns a handler that calls the user's handler, which forwards records to `next`.
   *
   * @param allCounters - counters of all exporters of the logger, in which records that the user's handler drops count as filtered
   */
  handlerBefore(next: RecordHandler, allCounters: readonly Counters[]): RecordHandler {
    return {
      handle: (record: LogRecord) => this.handle(record, next, allCounters),
      withRules: (rules: Rules) => this.handlerBefore(next.withRules(rules), allCounters),
      withSource: (source) => this.handlerBefore(next.withSource(source), allCounters),
    }
  }

  /** Throws only if the stack is exhausted, and then before anything was counted. */
  private handle(originalRecord: LogRecord, next: RecordHandler, allCounters: readonly Counters[]): void {
    // Records that the user's handler itself logs bypass it, and so do records that are logged inside too many nested hooks.
    if (this.currentCall !== undefined || mustSkipHook(originalRecord)) return next.handle(originalRecord)
    const currentCall: HandlerCall = {
      record: new RecordView(originalRecord, this.levels),
      originalRecord,
      next,
      isForwarded: false,
    }
    let hasThrown = false
    let thrown: unknown
    try {
      this.currentCall = currentCall
      const returned: unknown = callHook(originalRecord, () => this.userHandler!.handle(currentCall.record))
      handleRejection(returned, () => this.reportDiagnostic(promiseRejected))
    } catch (error) {
      hasThrown = true
      thrown = error
    } finally {
      this.currentCall = undefined
    }
    if (!currentCall.isForwarded) {
      if (hasThrown) next.handle(originalRecord)
      // Count without a function call, so that an exhausted stack cannot leave only some of the exporters' counters updated.
      else {
        for (let i = 0; i < allCounters.length; i++) {
          allCounters[i]!.emitted++
          allCounters[i]!.filtered++
        }
      }
    }
    try {
      if (hasThrown) this.reportThrown(thrown)
    } catch {
      // The stack is exhausted; the record was already counted.
    }
  }

  /** Forwards a record. The user's handler can call this at any time, with any argument. */
  private forward(record: HandledRecord<string>): void {
    const { currentCall } = this
    if (currentCall === undefined || (record !== currentCall.record && record instanceof RecordView))
      return this.reportDiagnostic(forwardedLate)
    if (record !== currentCall.record)
      throw new HandlerMisuse('the handler passed another object to next.handle(); pass the record that it received')
    this.currentCall = undefined
    try {
      currentCall.next.handle(RecordView.toLogRecord(currentCall.record, currentCall.originalRecord))
      currentCall.isForwarded = true
    } finally {
      this.currentCall = currentCall
    }
  }

  /** Reports that the user's handler threw. Accessing the thrown value can run user code, which can throw too. */
  private reportThrown(thrown: unknown): void {
    let diagnostic = handlerThrew
    try {
      if (thrown instanceof HandlerMisuse) diagnostic = { code: handlerThrew.code, message: thrown.message }
    } catch {
      // `thrown` is a proxy that throws.
    }
    this.reportDiagnostic(diagnostic)
  }
}

const forwardedLate: Diagnostic = {
  code: 'SLUICE_HANDLER_LATE',
  message:
    'the handler called next.handle() after handle() had returned, so the record counts as filtered; call it before',
}

const handlerThrew: Diagnostic = {
  code: 'SLUICE_HANDLER_FAILED',
  message: 'the handler threw; the record is written unchanged, unless it was already passed to next.handle()',
}

const promiseRejected: Diagnostic = {
  code: 'SLUICE_HANDLER_FAILED',
  message:
    'the handler returned a promise that rejected; handlers must be synchronous. A record not passed to next.handle() counts as filtered',
}
