import type { AnyValueMap } from '../record/any-value.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { SpanContext } from '../record/span.ts'

/** Creates a handler before the next one, as the option `handler` of `createLogger` does. */
export type CreateHandler<L extends string = never> = (next: Handler<L>, host: HandlerHost<L>) => Handler<L>

/**
 * What a logger provides to its handlers in addition to the records. The functions can be called without `this`. They are valid
 * as long as the logger exists.
 */
export interface HandlerHost<L extends string = never> {
  /**
   * Writes a record of the handler's own: passes it to `next`, which is the next handler that this handler received. Handlers before
   * it do not receive the record. It is redacted, limited and counted like a record of a log call. The logger's own level is not
   * tested, but the levels of its exporters are.
   *
   * If the record of its origin is held by the flight recorder, so is the new record, unless it has another level.
   *
   * @throws TypeError if the logger has no such level, the attributes are not an object, or the logger is still being created
   */
  emit(record: NewRecord<L>, next: Handler<L>): void
  /**
   * Sets the reason for which a record is not passed on, as it appears in `stats().filteredByReason`. Has no effect if the record is
   * passed on, or outside of `handle`. Use few and constant reasons: only the first 32 are counted separately.
   *
   * @param counter - an object that counts the record if it is really filtered: its `count` is incremented after the last handler has
   *   returned. A record can be written although `filter` was called: by another handler of `tee`, or because a handler throws.
   */
  filter(record: HandledRecord<L>, reason: string, counter?: FilterCounter): void
  /**
   * Returns whether the record that is being handled was passed on to the logger. `next.handle` can return without that, because a
   * later handler has filtered the record.
   */
  isPassedOn(record: HandledRecord<L>): boolean
  /**
   * Returns the origin of the record that is being handled, for records that are written later on its account.
   *
   * @throws TypeError if no such record is being handled
   */
  originOf(record: HandledRecord<L>): RecordOrigin
  /** Returns the time of the logger's clock, in ms since the Unix epoch. It can jump, also backwards. */
  now(): number
  /**
   * Calls a function after a delay in ms, unless it is canceled. The process does not stay alive for it. If the function throws or
   * its promise rejects, `SLUICE_HANDLER_FAILED` is reported.
   *
   * @returns a function that cancels the delay
   */
  delay(millis: number, callback: () => void): () => void
  /**
   * Registers a function to call before the logger is flushed, shut down, or drained because the process exits, so that the handler
   * can write what it has held back, such as counts. The function must be synchronous. Functions of outer handlers are called before
   * those of the handlers that they pass records to.
   */
  onFlush(callback: () => void): void
}

/** Counts the records that a handler filters. See `HandlerHost.filter`. */
export interface FilterCounter {
  /** The number of records. The handler can change it. */
  count: number
}

/** A record that a handler creates. */
export interface NewRecord<L extends string = never> {
  /**
   * The level's name.
   *
   * @defaultValue the level of the record that `origin` was obtained from; `info` for the root logger
   */
  readonly level?: L | StandardLevel | undefined
  /**
   * The message, parsed like that of a log call: names in braces are replaced by attributes.
   *
   * @defaultValue no message
   */
  readonly body?: unknown
  /**
   * Whether names in braces stay in the message as they are.
   *
   * @defaultValue false
   */
  readonly keepsBraces?: boolean | undefined
  /**
   * The attributes.
   *
   * @defaultValue none
   */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined
  /**
   * The name of the event.
   *
   * @defaultValue none
   */
  readonly eventName?: string | undefined
  /**
   * The origin of the record that this one is about. A record with an origin, and one that is emitted outside of `handle`, has no attributes
   * of `baggage` and `enrich`, and releases nothing of the flight recorder, because it does not belong to the current request.
   *
   * The redaction rules of its logger apply, so set it if the new record contains
   * something of the other one.
   *
   * @defaultValue that of the record that is being handled; outside of `handle`, the root logger
   */
  readonly origin?: RecordOrigin | undefined
}

/** The origin of a record: its level and its logger, with the scope and the redaction rules. See `HandlerHost.originOf`. */
export interface RecordOrigin {
  /** The name of the instrumentation scope; undefined without one. */
  readonly loggerName: string | undefined
}

/**
 * A stage between log calls and the encoding of their records: it forwards each record to the next handler, changes it first, or
 * drops it. A handler wraps the next one: `createLogger({ handler: (next, host) => … })`. `host` writes records of the
 * handler's own and runs its timers. `checkHandler` of `sluice/testing` tests a handler against this contract.
 *
 * @example
 * ```ts
 * const handler = (next: Handler): Handler => ({
 *   handle(record) {
 *     if (record.attributes?.['path'] !== '/health') next.handle(record)
 *   },
 * })
 * ```
 */
export interface Handler<L extends string = never> {
  /**
   * Handles one record. To forward it, call `handle` of the next handler with the same object before this method returns. A
   * record that was not forwarded by then is dropped and counts as filtered; one that was forwarded twice is written twice.
   *
   * It should not throw. If it does, the original record is written unless it was already forwarded, and `SLUICE_HANDLER_FAILED`
   * is reported. Records that the handler itself logs bypass it.
   */
  handle(record: HandledRecord<L>): void
}

/**
 * A record that a handler can change. `level`, `body` and `attributes` can be set; new values are redacted, limited and
 * serialized like those of the log call. It is valid until `Handler.handle` returns.
 */
export interface HandledRecord<L extends string = never> {
  /** Milliseconds since the Unix epoch. */
  readonly time: number
  /**
   * The level's name. Setting another level of the logger also changes the severity. The logger's own level is not tested again,
   * but the levels of its exporters are. Changing a record to `fatal` does not cause a flush.
   *
   * @throws TypeError if the logger has no such level
   */
  level: L | StandardLevel
  /** The OpenTelemetry severity number of the level, 1 to 24. */
  readonly severity: number
  /**
   * The message of the log call: a template or format into which nothing is inserted yet, or any other value; undefined without a
   * message. A new value is parsed like a message, including names in braces.
   */
  body: unknown
  /**
   * The attributes of the log call: the caller's own object, not redacted yet. Do not change this object; to add an attribute,
   * set a new one: `record.attributes = { ...record.attributes, slow: true }`.
   *
   * @throws TypeError if the new value is not an object
   */
  attributes: Readonly<Record<string, unknown>> | undefined
  /** The Error that was passed as a separate argument, or undefined. */
  readonly exception: unknown
  /** The span of the record; undefined without a span, or if `traceContext` is false. */
  readonly span: SpanContext | undefined
  /** The name of the event, or undefined if the record is not an event. */
  readonly eventName: string | undefined
  /**
   * Whether the record is below the logger's level, so that the flight recorder holds it, or writes it because its key was triggered.
   * The handlers of `sluice/handlers` pass these records on without counting them.
   */
  readonly isHeld: boolean
  /** A copy of the attributes of the logger, its parents and `withContext`, already redacted. */
  readonly bound: AnyValueMap
}
