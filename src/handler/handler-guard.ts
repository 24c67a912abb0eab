import { callHandler, mustSkipHandler } from '../encode/hooks.ts'
import type { Counters } from '../pipeline/counters.ts'
import { handleRejection, requireSynchronous } from '../options/observe-promise.ts'
import { member } from '../options/own-members.ts'
import type { ConfigurationProblem } from '../options/configuration-error.ts'
import type { BoundState } from '../record/bound.ts'
import type { LogRecord } from '../record/record.ts'
import { standardSeverities } from '../record/severity.ts'
import type { Rules } from '../values/record-rules.ts'
import { FilterReasons } from './filter-reasons.ts'
import { CallOrigin, changedTarget, emitTarget, type HandlerTarget } from './call-origin.ts'
import { FlushCallbacks } from './flush-callbacks.ts'
import { callbackFailed, forwardedLate, HandlerMisuse, handlerThrew, promiseRejected } from './handler-diagnostics.ts'
import { CurrentCall, incrementCount } from './current-call.ts'
import { createHandlerHost, type HostRuntime } from './handler-host.ts'
import { toNewRecord } from './new-record.ts'
import { RecordView, type RecordViewSettings } from './record-view.ts'
import type { CreateHandler, HandledRecord, Handler, NewRecord, RecordOrigin } from './handler.ts'
import type { RecordHandler } from './record-handler.ts'

/**
 * The guard around a user's handler. The handler is created once for a root logger and its children, so that its state, such as
 * the counts of a sampler, applies to all of them. Whatever it does, log calls do not throw, and each record is counted as often
 * as it was forwarded, or once as filtered. If it throws before it forwards the record, the unchanged record is forwarded.
 */
export class HandlerGuard {
  private readonly userHandler: Handler<string> | undefined
  /** The severity number of each level of the logger, by its name. */
  private readonly levels: ReadonlyMap<string, number>
  private readonly writtenSettings: RecordViewSettings
  private readonly heldSettings: RecordViewSettings
  private readonly runtime: HostRuntime
  private readonly reasons = new FilterReasons()
  private readonly flushCallbacks: FlushCallbacks
  /** Called with the reason for which a promise of the user's handler rejects. */
  private readonly onRejected: (reason: unknown) => void
  /** Where records go that are not written on account of another record; undefined until the logger is created. */
  private rootOrigin: CallOrigin | undefined
  private readonly current = new CurrentCall()

  /**
   * @param createHandler - the option `handler`: the user's function that creates the handler
   * @param problems - receives a problem if this function throws or returns no valid handler
   */
  constructor(
    createHandler: CreateHandler<string>,
    levels: ReadonlyMap<string, number>,
    runtime: HostRuntime,
    problems: ConfigurationProblem[],
  ) {
    this.levels = levels
    this.writtenSettings = { levels, isHeld: false }
    this.heldSettings = { levels, isHeld: true }
    this.runtime = runtime
    this.onRejected = (reason) => runtime.reportDiagnostic(promiseRejected(reason))
    this.flushCallbacks = new FlushCallbacks((error) => runtime.reportDiagnostic(callbackFailed(error)))
    const host = createHandlerHost(runtime, {
      emit: (record, next) => this.emit(record, next),
      filter: (record, reason, counter) => this.setReason(record, reason, counter),
      isPassedOn: (record) => record === this.current.record && this.current.isForwarded,
      originOf: (record) => this.originOf(record),
      onFlush: (callback) => this.flushCallbacks.add(callback),
    })
    try {
      const returned = createHandler({ handle: (record) => this.forward(record) }, host)
      this.userHandler = requireSynchronous(returned, 'handler')
      if (typeof member(this.userHandler, 'handle') === 'function') return
    } catch {
      // The problem below does not include the error, which can contain anything.
    }
    const message = 'must be a function that returns a handler: an object with a `handle` function'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'handler', message })
  }

  /**
   * Returns a handler that calls the user's handler, which forwards records to `next`. It is called once for a root logger, and once more
   * for the records that its flight recorder may hold.
   *
   * @param allCounters - counters of all exporters of the logger, in which records that the user's handler drops count as filtered
   * @param rootBound - the bound state of the root logger, for records that the user's handler emits
   * @param written - where records are written, if those of `next` may be held by the flight recorder instead
   */
  handlerBefore(
    next: RecordHandler,
    allCounters: readonly Counters[],
    rootBound: BoundState,
    written?: RecordHandler,
  ): RecordHandler {
    const target = { next, written, allCounters }
    const { info } = standardSeverities
    // Records that are emitted on account of no other record are written.
    if (written === undefined)
      this.rootOrigin = new CallOrigin({ target, bound: rootBound, level: 'info', severity: info })
    return this.handlerFor(target)
  }

  /** Calls a function once the user's handler has something to flush: now, or when it first registers a function with `onFlush`. */
  whenFlushable(callback: () => void): void {
    this.flushCallbacks.whenAdded(callback)
  }

  /** Calls the functions of `onFlush`, which emit records. Returns whether there are any. Never throws, unless the stack is exhausted. */
  flush(): boolean {
    return this.flushCallbacks.run()
  }

  /** Returns the number of filtered records by reason. */
  filteredByReason(): Record<string, number> {
    return this.reasons.toRecord()
  }

  private handlerFor(target: HandlerTarget): RecordHandler {
    return {
      handle: (record: LogRecord) => this.handle(record, target),
      withRules: (rules: Rules) => this.handlerFor(changedTarget(target, (handler) => handler.withRules(rules))),
      withSource: (source) => this.handlerFor(changedTarget(target, (handler) => handler.withSource(source))),
    }
  }

  /** Throws only if the stack is exhausted, and then before anything was counted. */
  private handle(originalRecord: LogRecord, target: HandlerTarget): void {
    // Records that the user's handler itself logs bypass it, and so do records that are logged inside too many nested hooks.
    if (this.current.record !== undefined || mustSkipHandler()) return target.next.handle(originalRecord)
    this.call(this.userHandler!, originalRecord, target)
  }

  private call(handler: Handler<string>, originalRecord: LogRecord, target: HandlerTarget): void {
    const { current } = this
    const record = new RecordView(
      originalRecord,
      target.written === undefined ? this.writtenSettings : this.heldSettings,
    )
    let hasThrown = false
    let thrown: unknown
    current.begin(record, target)
    try {
      const returned = callHandler(handler, record)
      if (returned !== undefined) handleRejection(returned, this.onRejected)
    } catch (error) {
      hasThrown = true
      thrown = error
    }
    const { isForwarded, reason, counter } = current
    current.record = undefined
    if (!isForwarded) {
      if (hasThrown) target.next.handle(originalRecord)
      else {
        const reasonCount = this.reasons.countOf(reason)
        // Count without a function call, so that an exhausted stack cannot leave only some of the exporters' counters updated.
        const { allCounters } = target
        for (let i = 0; i < allCounters.length; i++) {
          allCounters[i]!.emitted++
          allCounters[i]!.filtered++
        }
        reasonCount.count++
      }
    }
    try {
      if (hasThrown) this.runtime.reportDiagnostic(handlerThrew(thrown))
      else if (!isForwarded) incrementCount(counter)
    } catch {
      // The stack is exhausted, or the user's counter throws; the record was already counted.
    }
  }

  /** Forwards a record. The user's handler can call this at any time, with any argument. */
  private forward(record: HandledRecord<string>): void {
    const { current } = this
    const { record: currentRecord, target, reason, counter } = current
    if (currentRecord === undefined || (record !== currentRecord && record instanceof RecordView))
      return this.runtime.reportDiagnostic(forwardedLate)
    if (record !== currentRecord)
      throw new HandlerMisuse('the handler passed another object to next.handle(); pass the record that it received')
    let { isForwarded } = current
    current.record = undefined
    try {
      target!.next.handle(RecordView.toLogRecord(currentRecord))
      isForwarded = true
    } finally {
      current.resume(currentRecord, target, isForwarded, reason, counter)
    }
  }

  /** Writes a record of the user's handler. The user's handler can call this at any time, with any arguments. */
  private emit(record: NewRecord<string>, next: Handler<string>): void {
    const { current, rootOrigin } = this
    if (rootOrigin === undefined)
      throw new HandlerMisuse('the handler called emit() before the logger was created; call it later')
    if (typeof next?.handle !== 'function')
      throw new HandlerMisuse('the handler called emit() without a handler; pass the next handler that it received')
    const { record: currentRecord, target: currentTarget, isForwarded, reason, counter } = current
    const defaultOrigin = currentRecord === undefined ? rootOrigin : this.originOf(currentRecord)
    const { newRecord, origin } = toNewRecord(
      record,
      defaultOrigin,
      this.levels,
      this.runtime.clock,
      currentRecord === undefined,
    )
    const target = emitTarget(newRecord, origin)
    // Handlers that emit a record for each record that they receive from each other must not exhaust the stack.
    if (mustSkipHandler()) return target.next.handle(newRecord)
    try {
      this.call(next, newRecord, target)
    } finally {
      current.resume(currentRecord, currentTarget, isForwarded, reason, counter)
    }
  }

  private setReason(record: HandledRecord<string>, reason: string, counter: object | undefined): void {
    const { current } = this
    if (record !== current.record) return
    current.reason = reason
    current.counter = counter
  }

  private originOf(record: HandledRecord<string>): CallOrigin & RecordOrigin {
    const { record: currentRecord, target } = this.current
    if (currentRecord === undefined || record !== currentRecord)
      throw new HandlerMisuse('the handler called originOf() with a record that it does not handle now')
    const { bound } = CallOrigin.partsOf(this.rootOrigin!)
    return CallOrigin.of(RecordView.sourceOf(currentRecord), target!, bound)
  }
}
