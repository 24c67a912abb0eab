import { plainRules } from '../encode/plain-data.ts'
import { parsePrintf } from '../encode/template/printf.ts'
import { redactedData } from '../encode/walk/resolve.ts'
import type { AnyValueMap } from '../record/any-value.ts'
import { define } from '../options/define-member.ts'
import type { LogRecord } from '../record/record.ts'
import type { SpanContext } from '../record/span.ts'
import type { HandledRecord } from './handler.ts'
import { HandlerMisuse, unknownLevelMisuse } from './handler-diagnostics.ts'

/** What the records of a logger have in common. Each record refers to one object, because a suppressed one should cost little. */
export interface RecordViewSettings {
  /** The severity number of each level of the logger, by its name. */
  readonly levels: ReadonlyMap<string, number>
  /** Whether the records are below the logger's level, so that the flight recorder may hold them. */
  readonly isHeld: boolean
}

/**
 * A record as a user's handler receives it. A handler cannot use it to write unredacted values: already redacted values are
 * returned as copies, values that the handler sets are redacted later, and properties that it defines on this object are ignored.
 */
export class RecordView implements HandledRecord<string> {
  readonly #source: LogRecord
  readonly #settings: RecordViewSettings
  /** Undefined until it is needed, because most handlers only read a part of the record. */
  #state: ViewState | undefined = undefined

  constructor(source: LogRecord, settings: RecordViewSettings) {
    this.#source = source
    this.#settings = settings
  }

  /** Returns a copy of the original record with the changes that the user's handler made to its view. Each call returns a new object. */
  static toLogRecord(view: RecordView): LogRecord {
    const source = view.#source
    const state = view.#state
    if (state === undefined) return { ...source }
    const { level, severity, body, attributes } = state
    const record: LogRecord = { ...source, level, severity, body, attributes }
    if (source.printfArguments !== undefined && body !== source.body) assignArguments(record, source.printfArguments)
    return record
  }

  static sourceOf(view: RecordView): LogRecord {
    return view.#source
  }

  get time(): number {
    return this.#source.time
  }
  get level(): string {
    return (this.#state ?? this.#source).level
  }
  set level(level: string) {
    const { levels } = this.#settings
    const severity = levels.get(level)
    if (severity === undefined) throw unknownLevelMisuse(levels)
    const state = this.#ownState
    state.level = level
    state.severity = severity
  }
  get severity(): number {
    return (this.#state ?? this.#source).severity
  }
  get body(): unknown {
    return (this.#state ?? this.#source).body
  }
  set body(body: unknown) {
    this.#ownState.body = body
  }
  get attributes(): Readonly<Record<string, unknown>> | undefined {
    return (this.#state ?? this.#source).attributes as Readonly<Record<string, unknown>> | undefined
  }
  set attributes(attributes: object | undefined) {
    if (typeof attributes !== 'object' && attributes !== undefined)
      throw new HandlerMisuse('the handler set attributes that are not an object')
    this.#ownState.attributes = attributes ?? undefined
  }
  get exception(): unknown {
    return this.#source.exception
  }
  get span(): SpanContext | undefined {
    const { span } = this.#source
    // The spans of OpenTelemetry's API are frozen when they are validated.
    if (span === undefined || Object.isFrozen(span)) return span
    return (this.#ownState.span ??= Object.freeze({ ...span }))
  }
  get eventName(): string | undefined {
    return this.#source.eventName
  }
  get isHeld(): boolean {
    return this.#settings.isHeld
  }
  get bound(): AnyValueMap {
    return (this.#ownState.bound ??= redactedData(this.#source.bound.attributes, plainRules))
  }

  get #ownState(): ViewState {
    if (this.#state === undefined) {
      const { level, severity, body, attributes } = this.#source
      this.#state = { level, severity, body, attributes, span: undefined, bound: undefined }
    }
    return this.#state
  }
}

/** What the user's handler has changed, and copies of what it has read. */
interface ViewState extends Pick<LogRecord, 'level' | 'severity' | 'body' | 'attributes'> {
  span: SpanContext | undefined
  bound: AnyValueMap | undefined
}

// `console.log(record)` shows these members, because that is the usual way to debug a handler.
define(RecordView.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(this: RecordView) {
    const { time, level, severity, body, attributes, exception, span, eventName, isHeld, bound } = this
    return { time, level, severity, body, attributes, exception, span, eventName, isHeld, bound }
  },
})

/** Moves the printf arguments that have no placeholder in the new message to `extraArguments`. */
function assignArguments(record: LogRecord, args: readonly unknown[]): void {
  const { body, extraArguments = [] } = record
  const placeholderCount = (typeof body === 'string' ? parsePrintf(body)?.kinds.length : undefined) ?? 0
  const newExtraArguments = [...args.slice(placeholderCount), ...extraArguments]
  record.printfArguments = placeholderCount === 0 ? undefined : args.slice(0, placeholderCount)
  record.extraArguments = newExtraArguments.length === 0 ? undefined : newExtraArguments
}
