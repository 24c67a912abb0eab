import type { BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import { isError } from '../../values/is-error.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { listState, unionState, type RedactState } from '../../redact/redact.ts'
import type { Rules } from '../../values/record-rules.ts'
import { redactParts } from '../../values/stacktrace.ts'
import { AttributesWalk } from './attributes.ts'
import {
  redactedExceptionFields,
  exceptionFields,
  exceptionNames,
  exceptionRules,
  type ExceptionFields,
  type ExceptionRules,
} from './exception-fields.ts'
import { ExceptionParts } from './exception-parts.ts'
import { InsertedAttributes } from './inserted-attributes.ts'
import { cutMarker, longestMarker, stringText } from './markers.ts'
import { plainText } from '../plain.ts'
import { formatPrintf, parsePrintf, type Formatted, type InsertValue } from '../template/printf.ts'
import { parseTemplate, renderTemplate, type Template } from '../template/template.ts'
import { ValueWalk } from './value-walk.ts'
import type { Walk } from './walk.ts'

/**
 * Reads a whole record: attributes, exception and message, each of the caller's objects once. Every encoder uses it; encoders differ in the
 * target of the walk and in how they write the parts.
 */
export class RecordWalk<T, O extends T, A extends T> {
  /** The attributes of the call, with those of the exception and of `enrich`. */
  readonly attributes: AttributesWalk<T, O, A>
  /** The redacted and rendered message; undefined if the record has none. */
  message: string | undefined
  /** The body if it is neither text nor absent. A format with typed values writes it as a value. */
  structured: T | undefined
  /** Which attributes came from the exception; undefined if the record has none. */
  exceptionParts: ExceptionParts | undefined

  private readonly inserted = new InsertedAttributes<T>()
  private readonly walk: Walk<T, O, A>
  /** Builds the arguments that a message inserts if `walk` cannot insert its own values. */
  private values: ValueWalk | undefined
  private readonly rules: Rules
  /** The rules for a body and for inserted values. Their members, and those of the items of a list, are redacted like attributes. */
  private readonly bodyState: RedactState
  /** The rules for surplus arguments, by the name of the attribute that contains them. */
  private readonly extraStates: Readonly<Record<'args' | '_args', RedactState>>
  private readonly exceptionRules: ExceptionRules
  private readonly errorTypeState: RedactState
  private readonly insertArgument: InsertValue = (value, kind) => this.insertedArgument(value, kind !== 's')

  constructor(walk: Walk<T, O, A>, rules: Rules) {
    this.walk = walk
    this.rules = rules
    this.attributes = new AttributesWalk(walk, rules)
    const { root } = rules.redaction
    this.exceptionRules = exceptionRules(root)
    this.errorTypeState = root.step('error.type')
    this.bodyState = listState(root)
    this.extraStates = { args: listState(root.step('args')), _args: listState(root.step('_args')) }
  }

  /**
   * Walks a record.
   *
   * @param showsNone - whether the caller has checked that the message contains no values (`showsValues`), so that it need not be parsed
   *   again
   */
  read(record: LogRecord, showsNone = false): void {
    const { body, bound } = record
    const attributes = this.attributes
    this.walk.begin()
    if (this.walk.patterns !== undefined) cleanNames(record, this.walk.patterns)
    if (this.structured !== undefined) this.structured = undefined
    if (this.exceptionParts !== undefined) this.exceptionParts = undefined
    const argument = this.exceptionOf(record)
    // OpenTelemetry's limits count the attributes of an exception, and those are dropped last.
    const known =
      argument !== undefined && this.rules.limits.bare ? this.fieldsOf(argument as object, 'err') : undefined
    attributes.begin(known === undefined ? bound.names : exceptionNames(known, this.rules.limits.attributes))
    const template = showsNone || record.literal || typeof body !== 'string' ? undefined : templateOf(body, record)
    const inserted = template === undefined ? undefined : this.inserted.begin(template.names)
    if (record.attributes !== undefined) attributes.write(record.attributes, inserted)
    if (record.enriched !== undefined) this.addEnriched(record.enriched, bound, inserted)
    if (record.extra !== undefined) {
      const key = attributes.has('args') ? '_args' : 'args'
      attributes.addField(key, this.walk.place(record.extra, this.extraStates[key], 1, key))
    }
    const exception = attributes.exception(argument)
    const fields =
      exception === undefined
        ? undefined
        : this.addException(exception.error, exception.key, record.eventName !== undefined, known)
    this.message =
      template === undefined && fields === undefined && record.args === undefined
        ? this.plainMessage(record)
        : this.composedMessage(record, template, fields)
  }

  // A separate function, like `composedMessage`: a function that contains closures allocates their context in each call, even if it creates
  // none of them.
  private addEnriched(enriched: object, bound: BoundState, inserted: InsertedAttributes<T> | undefined): void {
    const { attributes } = this
    attributes.write(enriched, inserted, (key) => bound.names.has(key) || attributes.has(key))
  }

  /** Returns the Error that was an argument. A record of data has `ExceptionParts` instead, which are kept. */
  private exceptionOf({ exception }: LogRecord): unknown {
    if (exception === undefined || !ExceptionParts.is(exception)) return exception
    this.exceptionParts = exception
    return undefined
  }

  private fieldsOf(error: object, key: string): ExceptionFields {
    const { censor } = this.exceptionRules.state
    if (censor !== undefined) return redactedExceptionFields(error, censor, key)
    return exceptionFields(error, this.exceptionRules, key, this.rules.limits)
  }

  private addException(
    error: object,
    key: string,
    isEvent: boolean,
    fields: ExceptionFields = this.fieldsOf(error, key),
  ): ExceptionFields {
    const { attributes, walk } = this
    const { state } = this.exceptionRules
    if (state.censor !== undefined) {
      attributes.addField(key, walk.place(error, state, 1, key))
      return fields
    }
    const { type, message, stacktrace } = attributes.addException(fields)
    // All events identify an error by `error.type` (EVT1).
    if (isEvent && fields.type !== undefined)
      attributes.addField('error.type', walk.place(fields.type, this.errorTypeState, 1, 'error.type'))
    // Another Error may be under `err` if this one was an argument.
    const free = attributes.has(key) ? 'error' : key
    const hasMembers = fields.properties !== undefined && !attributes.has(free)
    if (hasMembers) attributes.addField(free, walk.topMembers(fields.properties, error, key, fields.state))
    this.exceptionParts = new ExceptionParts(type, message, stacktrace, hasMembers ? free : undefined)
    return fields
  }

  /** Returns the message of a record without inserted values and without an exception. */
  private plainMessage({ body, bound }: LogRecord): string | undefined {
    const text = this.bodyText(body)
    if (text === undefined) return undefined
    if (bound.messagePrefix === '') return this.cut(text)
    this.structured = undefined
    return this.cut(bound.messagePrefix + text)
  }

  private composedMessage(
    record: LogRecord,
    template: Template | undefined,
    exception: ExceptionFields | undefined,
  ): string | undefined {
    const { args, bound } = record
    let text = this.bodyText(record.body)
    if (text === undefined) {
      if (exception?.message === undefined) return undefined
      return this.cut(bound.messagePrefix + exception.message)
    }
    // Only placeholders in the original message count, not those in inserted values.
    if (template !== undefined) {
      const print = args === undefined ? undefined : this.printer(args)
      const insert = (name: string, format: string) =>
        this.insertedAttribute(record, name, format === 'json', exception)
      text = renderTemplate(template, insert, print)
    } else if (args !== undefined && typeof record.body === 'string') text = this.print(text, args).text
    if (exception !== undefined && exception.redactedTexts.length > 0) text = redactParts(text, exception.redactedTexts)
    if (bound.messagePrefix !== '') {
      this.structured = undefined
      text = bound.messagePrefix + text
    }
    return this.cut(text)
  }

  /** Redacts a text, then cuts it: a pattern would not match a secret that was cut in two. */
  private cut(text: string): string {
    const { patterns } = this.walk
    const { recordBytes, truncated } = this.rules.limits
    if (text.length <= recordBytes + longestMarker) return patterns === undefined ? text : patterns.redacted(text)
    truncated?.()
    return patterns === undefined
      ? stringText(text, recordBytes)
      : patterns.upTo(text, recordBytes) + cutMarker(text, recordBytes)
  }

  /** Creates a function that fills the placeholders of successive texts while there are arguments. */
  private printer(args: readonly unknown[]): (text: string) => string {
    let left = args
    return (text) => {
      const printed = this.print(text, left)
      left = left.slice(printed.used)
      return printed.text
    }
  }

  private print(text: string, args: readonly unknown[]): Formatted {
    const format = parsePrintf(text)
    return format === undefined ? { text, used: 0 } : formatPrintf(format, args, this.insertArgument)
  }

  /** Returns a body as text: a string unchanged, other values as they are inserted into a message. */
  private bodyText(body: unknown): string | undefined {
    if (typeof body === 'string' || body === undefined) return body
    const part = this.walk.body(body, this.bodyRules(body))
    this.structured = part
    return part === undefined ? undefined : this.walk.inserted(part, false)
  }

  /** Returns the rules for a body: those of the attributes, so that its members are redacted like attributes. */
  private bodyRules(body: unknown): RedactState {
    const { bodyState } = this
    try {
      return isError(body) ? unionState(bodyState, this.exceptionRules.state) : bodyState
    } catch {
      return bodyState // a revoked proxy
    }
  }

  private insertedAttribute(
    record: LogRecord,
    name: string,
    json: boolean,
    exception: ExceptionFields | undefined,
  ): string | undefined {
    const text = this.inserted.text(name, json, this.walk)
    if (text !== undefined) return text
    if (exception !== undefined && (name === 'err' || name === 'error')) return errorText(exception)
    const { attributes, names } = record.bound
    const bound = attributes.get(names.nameOf(name) ?? name)
    return bound === undefined ? undefined : plainText(bound, json)
  }

  private insertedArgument(value: unknown, json: boolean): string {
    let state = this.bodyState
    if (isError(value)) {
      // The rules for `err` apply to every Error that is an argument.
      state = unionState(state, this.rules.redaction.root.step('err'))
      if (!json && state.censor === undefined)
        return errorText(exceptionFields(value, this.exceptionRules, 'err', this.rules.limits))
    }
    const { walk } = this
    if (walk.canInsert) {
      const part = walk.place(value, state, 1, '')
      return part === undefined ? 'undefined' : walk.inserted(part, json)
    }
    const values = (this.values ??= new ValueWalk(this.rules))
    values.continue(walk)
    const data = values.place(value, state, 1, '')
    walk.continue(values)
    return data === undefined ? 'undefined' : values.inserted(data, json)
  }
}

/** Redacts the names of the event and the level, which callers of the Logs API choose. */
function cleanNames(record: LogRecord, patterns: TextPatterns): void {
  if (record.eventName !== undefined) record.eventName = patterns.redacted(record.eventName)
  record.level = patterns.redacted(record.level)
}

/** Returns whether the message contains values of the record: because it names attributes, or because it is not text and has a prefix. */
export function showsValues(record: LogRecord): boolean {
  const { body, literal, bound } = record
  if (typeof body !== 'string') return body !== undefined && bound.messagePrefix !== ''
  return !literal && templateOf(body, record) !== undefined
}

/** The longest message that is parsed for names of attributes, in UTF-16 units. A longer one is data. */
const longestTemplate = 65_536

/** Returns the parsed message if it names attributes and the record has any. */
function templateOf(body: string, record: LogRecord): Template | undefined {
  if (record.attributes === undefined && record.bound.names.size === 0 && record.enriched === undefined)
    return undefined
  return body.length > longestTemplate ? undefined : parseTemplate(body)
}

function errorText({ type, message }: ExceptionFields): string {
  return type === undefined || message === undefined ? (message ?? type ?? '') : `${type}: ${message}`
}
