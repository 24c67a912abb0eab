import { plainRules } from '../encode/plain.ts'
import { parsePrintf } from '../encode/template/printf.ts'
import { redactedData } from '../encode/walk/resolve.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import { define } from '../options/define-member.ts'
import type { LogRecord } from '../record/record.ts'
import type { SpanContext } from '../record/span.ts'
import type { HandledRecord } from './handler.ts'

/** Thrown when a user's handler violates its contract. The message contains no logged values. */
export class HandlerMisuse extends TypeError {}

/**
 * A record as a user's handler receives it. It exposes nothing that would be written without the redaction rules: already
 * redacted values are returned as copies, and values that a handler sets, or defines over the members of this object, are read
 * only through the rules.
 */
export class RecordView implements HandledRecord<string> {
  readonly #source: LogRecord
  readonly #levels: ReadonlyMap<string, number>
  #level: string
  #severity: number
  #body: unknown
  #attributes: object | undefined
  #span: SpanContext | undefined
  #bound: AnyValueMap | undefined

  constructor(source: LogRecord, levels: ReadonlyMap<string, number>) {
    this.#source = source
    this.#levels = levels
    this.#level = source.level
    this.#severity = source.severity
    this.#body = source.body
    this.#attributes = source.attributes
  }

  /** Returns the original record with the handler's changes. It is a new object each time, because its receiver may change it. */
  static changed(handled: RecordView, source: LogRecord): LogRecord {
    const record: LogRecord = {
      ...source,
      level: handled.#level,
      severity: handled.#severity,
      body: handled.#body,
      attributes: handled.#attributes,
    }
    if (source.args !== undefined && handled.#body !== source.body) placeArguments(record, source.args)
    return record
  }

  get time(): number {
    return this.#source.time
  }
  get level(): string {
    return this.#level
  }
  set level(level: string) {
    const severity = this.#levels.get(level)
    if (severity === undefined)
      throw new HandlerMisuse(
        `the handler set an unknown level; valid levels are ${[...this.#levels.keys()].join(', ')}`,
      )
    this.#level = level
    this.#severity = severity
  }
  get severity(): number {
    return this.#severity
  }
  get body(): unknown {
    return this.#body
  }
  set body(body: unknown) {
    this.#body = body
  }
  get attributes(): Readonly<Record<string, unknown>> | undefined {
    return this.#attributes as Readonly<Record<string, unknown>> | undefined
  }
  set attributes(attributes: object | undefined) {
    if (typeof attributes !== 'object' && attributes !== undefined)
      throw new HandlerMisuse('the handler set attributes that are not an object')
    this.#attributes = attributes ?? undefined
  }
  get exception(): unknown {
    return this.#source.exception
  }
  get span(): SpanContext | undefined {
    const { span } = this.#source
    return span === undefined ? undefined : (this.#span ??= Object.freeze({ ...span }))
  }
  get eventName(): string | undefined {
    return this.#source.eventName
  }
  get bound(): AnyValueMap {
    return (this.#bound ??= redactedData(this.#source.bound.attributes, plainRules))
  }
}

// `console.log(record)` shows these members, because it is the usual way to debug a filter.
define(RecordView.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(this: RecordView) {
    const { time, level, severity, body, attributes, exception, span, eventName, bound } = this
    return { time, level, severity, body, attributes, exception, span, eventName, bound }
  },
})

/** Moves the arguments that have no placeholder in the new message to `extra`. */
function placeArguments(record: LogRecord, args: readonly unknown[]): void {
  const { body, extra = [] } = record
  const count = (typeof body === 'string' ? parsePrintf(body)?.kinds.length : undefined) ?? 0
  const rest = [...args.slice(count), ...extra]
  record.args = count === 0 ? undefined : args.slice(0, count)
  record.extra = rest.length === 0 ? undefined : rest
}
