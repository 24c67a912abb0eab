import type { AnyValueMap } from '../record/any-value.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { SpanContext } from '../record/span.ts'

/**
 * Stands between log calls and their text: it hands each record on, changes it before, or leaves it out. A decorator around the
 * next handler: `createLogger({ handler: (next) => … })`. `checkHandler` of `sluice/testing` tells what is wrong with one.
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
   * Takes one record. To hand it on is to call `handle` of the next handler with this very record, before this returns: what
   * was not handed on by then was left out, and counts as filtered. Handed on twice, it is written twice.
   *
   * It should not throw. Where it does, the record is written as it was said, unless it was handed on before, and the trouble
   * is told (`SLUICE_HANDLER_FAILED`). What it logs itself goes past it.
   */
  handle(record: HandledRecord<L>): void
}

/**
 * One record on its way to its text. `level`, `body` and `attributes` may be set; what they are set to is redacted, limited and
 * serialized as if the call had said it. It is valid until `Handler.handle` returns.
 */
export interface HandledRecord<L extends string = never> {
  /** Milliseconds since the Unix epoch. */
  readonly time: number
  /**
   * The level's name. Set to another level of the logger, the severity follows. The logger's own level is not asked again,
   * those of its exporters are; and a record that becomes `fatal` here is not flushed by that. Throws a TypeError where there
   * is no such level.
   */
  level: L | StandardLevel
  /** The OpenTelemetry severity number of the level, 1 to 24. */
  readonly severity: number
  /**
   * The message as the call gave it: a template or a format, nothing inserted yet; or any value; undefined where nothing was
   * said. What it is set to is read as a message is, names in braces included.
   */
  body: unknown
  /**
   * The attributes of the call: the caller's own object, not redacted yet. It is never to be changed; to add one, set another
   * object: `record.attributes = { ...record.attributes, slow: true }`. Throws a TypeError for what is no object.
   */
  attributes: Readonly<Record<string, unknown>> | undefined
  /** The Error that was an argument by itself; undefined where none was. */
  readonly exception: unknown
  /** The span that the record belongs to; undefined where there is none, or `traceContext` is false. */
  readonly span: SpanContext | undefined
  /** The name of the event, where the record is one. */
  readonly eventName: string | undefined
  /** What the logger, its parents and `withContext` add: redacted already, and a copy. */
  readonly bound: AnyValueMap
}
