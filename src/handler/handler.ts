import type { AnyValueMap } from '../record/any-value.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { SpanContext } from '../record/span.ts'

/**
 * A stage between log calls and the encoding of their records: it forwards each record to the next handler, changes it first, or
 * drops it. A handler wraps the next one: `createLogger({ handler: (next) => … })`. `checkHandler` of `sluice/testing` tests a
 * handler against this contract.
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
  /** A copy of the attributes of the logger, its parents and `withContext`, already redacted. */
  readonly bound: AnyValueMap
}
