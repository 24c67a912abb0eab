import type { FilterCounter, Handler, HandlerHost, NewRecord, RecordOrigin } from '../handler/handler.ts'
import { member, membersOf } from '../options/own-members.ts'
import { emptyBoundState } from '../record/bound.ts'
import { newRecord, type LogRecord } from '../record/record.ts'
import { standardSeverities } from '../record/severity.ts'
import { describeThrown } from './describe-thrown.ts'
import { isPromiseLike } from './export-results.ts'
import { toleratedError } from './handler-samples.ts'

/** What the host of a harness needs from it. */
export interface HarnessActions {
  readonly levels: ReadonlyMap<string, number>
  /** Adds a sentence to the faults. */
  addFault(sentence: string): void
  /** Returns the call in which the handler handles this record now. */
  callOf(record: object): HandlerCall | undefined
  /** Passes a record that the handler emits to its next handler. */
  pass(logRecord: LogRecord, next: Handler<string>): void
}

/** A call of a handler that has not returned. */
export interface HandlerCall {
  readonly record: object
  /** How many times the handler has passed on the record. */
  passCount: number
  /** The object in which the handler counts the record if it is not passed on. */
  counter: FilterCounter | undefined
}

/** More nested records than a handler emits that ends. */
const maxNestedEmits = 16

/** The host of a handler that is checked: a clock and timers that the harness controls. It collects violations of the contract. */
export class HarnessHost {
  /** The time of the host, in ms since the Unix epoch. */
  time: number = Date.UTC(2026, 0, 1)
  /** How many records the handler has emitted. */
  emitCount = 0
  readonly host: HandlerHost<string>
  private readonly actions: HarnessActions
  private readonly origins = new WeakSet<RecordOrigin>()
  private readonly flushCallbacks: (() => void)[] = []
  private timers: { readonly at: number; readonly callback: () => void }[] = []
  private nestedEmits = 0

  constructor(actions: HarnessActions) {
    this.actions = actions
    this.host = Object.freeze<HandlerHost<string>>({
      emit: (record, next) => this.emit(record, next),
      filter: (record, reason, counter) => {
        const call = actions.callOf(record)
        if (call === undefined) actions.addFault('gave a reason for a record that it does not handle')
        else call.counter = counter
        if (typeof reason !== 'string' || reason === '') actions.addFault('gave a reason that is not a text')
        if (counter !== undefined && typeof member(Object(counter) as FilterCounter, 'count') !== 'number')
          actions.addFault('gave a counter whose count is not a number')
      },
      isPassedOn: (record) => (actions.callOf(record)?.passCount ?? 0) > 0,
      originOf: (record) => {
        if (actions.callOf(record) === undefined)
          actions.addFault('requested the origin of a record that it does not handle')
        const origin = { loggerName: undefined }
        this.origins.add(origin)
        return origin
      },
      now: () => this.time,
      delay: (millis, callback) => this.delay(millis, callback),
      onFlush: (callback) => void this.flushCallbacks.push(callback),
    })
  }

  /** Advances the clock and calls the timers whose time has come, the earliest first. */
  advance(millis: number): void {
    const end = this.time + millis
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
      if (next === undefined) break
      this.timers = this.timers.filter((timer) => timer !== next)
      this.time = Math.max(this.time, next.at)
      this.callBack('delay', next.callback)
    }
    this.time = end
  }

  /** Calls the functions that the handler has registered with `onFlush`. */
  flush(): void {
    for (const callback of this.flushCallbacks.toReversed()) this.callBack('onFlush', callback)
  }

  private delay(millis: number, callback: () => void): () => void {
    if (!(millis >= 0)) this.actions.addFault('requested a delay that is not a number of ms of 0 or more')
    // A timer that starts another one without a delay would never end.
    const timer = { at: this.time + Math.max(1, millis || 0), callback }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }

  private callBack(name: string, callback: () => unknown): void {
    const { addFault } = this.actions
    try {
      const returned = callback()
      if (!isPromiseLike(returned)) return
      addFault(`a function of ${name} returned a promise, but must be synchronous`)
      void Promise.resolve(returned).catch(() => {})
    } catch (error) {
      if (error !== toleratedError) addFault(`a function of ${name} threw ${describeThrown(error)}`)
    }
  }

  private emit(record: NewRecord<string>, next: Handler<string>): void {
    const { levels, addFault } = this.actions
    const fields = membersOf(Object(record) as NewRecord<string>, [
      'level',
      'body',
      'attributes',
      'eventName',
      'origin',
    ])
    const { level = 'info', body, attributes, eventName, origin } = fields
    this.emitCount++
    if (typeof next?.handle !== 'function') return addFault('emitted a record without passing the next handler')
    if (!levels.has(level)) addFault('emitted a record with an unknown level')
    if (typeof attributes !== 'object' && attributes !== undefined)
      addFault('emitted attributes that are not an object')
    if (typeof eventName !== 'string' && eventName !== undefined) addFault('emitted an event name that is not a text')
    if (origin !== undefined && !this.origins.has(origin)) addFault('emitted a record with an origin of another host')
    if (this.nestedEmits >= maxNestedEmits) return addFault('emitted records without end')
    const logRecord = newRecord(this.time, levels.get(level) ?? standardSeverities.info, level, emptyBoundState)
    logRecord.body = body
    logRecord.attributes = attributes ?? undefined
    logRecord.eventName = eventName
    this.nestedEmits++
    try {
      this.actions.pass(logRecord, next)
    } finally {
      this.nestedEmits--
    }
  }
}
