import type { BoundState } from '../../record/bound.ts'
import type { LogRecord } from '../../record/record.ts'
import { isError } from '../../values/is-error.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { withItemsAsAttributes, mergeStates, type RedactState } from '../../redact/redact.ts'
import type { Rules } from '../../values/record-rules.ts'
import { replaceRedactedTexts } from '../../values/stacktrace.ts'
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
import { cutMarker, maxMarkerLength, cutWithMarker } from './markers.ts'
import { plainText } from '../plain-data.ts'
import { formatPrintf, parsePrintf, type FormattedMessage, type InsertValue } from '../template/printf.ts'
import { parseTemplate, renderTemplate, type Template } from '../template/template.ts'
import { ValueWalk } from './value-walk.ts'
import type { Walk } from './walk.ts'

/**
 * Reads a whole record: attributes, exception and message, each of the caller's objects once. All formats that walk records share this
 * class; they differ in the target of the walk and in how they write its results.
 */
export class RecordWalk<T, O extends T, A extends T> {
  /** The attributes of the call, with those of the exception and of `enrich`. */
  readonly attributes: AttributesWalk<T, O, A>
  /** The redacted and rendered message; undefined if the record has no message. */
  message: string | undefined
  /**
   * The body if it is neither text nor absent; undefined if the logger adds a prefix. A format with typed values writes it instead of
   * `message`.
   */
  structuredBody: T | undefined
  /** Which attributes came from the exception; undefined if the record has none, or if a rule redacts it as a whole. */
  exceptionParts: ExceptionParts | undefined

  private readonly insertedAttributes = new InsertedAttributes<T>()
  private readonly walk: Walk<T, O, A>
  /** Builds the arguments that a message inserts if `walk` cannot insert its own values. */
  private argumentWalk: ValueWalk | undefined
  private readonly rules: Rules
  /**
   * The state of the redaction automaton at a body and at inserted arguments. Their members, and those of the items of a list, are redacted
   * like attributes.
   */
  private readonly bodyState: RedactState
  /** The state of the redaction automaton at `extraArguments`, by the name of the attribute that contains them. */
  private readonly extraArgumentStates: Readonly<Record<'args' | '_args', RedactState>>
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
    this.bodyState = withItemsAsAttributes(root)
    this.extraArgumentStates = {
      args: withItemsAsAttributes(root.step('args')),
      _args: withItemsAsAttributes(root.step('_args')),
    }
  }

  /**
   * Walks a record.
   *
   * @param insertsNoValues - whether the caller has checked that no values are inserted into the message (`insertsValues`), so that it need
   *   not be parsed again
   */
  read(record: LogRecord, insertsNoValues = false): void {
    const { body, bound } = record
    const attributes = this.attributes
    this.walk.begin()
    if (this.walk.patterns !== undefined) redactNames(record, this.walk.patterns)
    if (this.structuredBody !== undefined) this.structuredBody = undefined
    if (this.exceptionParts !== undefined) this.exceptionParts = undefined
    const exceptionArgument = this.exceptionArgumentOf(record)
    // OpenTelemetry's limits count the attributes of an exception, and those are dropped last.
    const argumentFields =
      exceptionArgument !== undefined && this.rules.limits.followsOpenTelemetry
        ? this.exceptionFieldsOf(exceptionArgument as object, 'err')
        : undefined
    attributes.begin(
      argumentFields === undefined ? bound.names : exceptionNames(argumentFields, this.rules.limits.attributes),
    )
    const template =
      insertsNoValues || record.keepsBraces || typeof body !== 'string' ? undefined : templateOf(body, record)
    const inserted = template === undefined ? undefined : this.insertedAttributes.begin(template.names)
    if (record.attributes !== undefined) attributes.write(record.attributes, inserted)
    if (record.enrichedAttributes !== undefined) this.addEnriched(record.enrichedAttributes, bound, inserted)
    if (record.baggageAttributes !== undefined) this.addEnriched(record.baggageAttributes, bound, inserted)
    if (record.extraArguments !== undefined) {
      const key = attributes.hasAttribute('args') ? '_args' : 'args'
      attributes.addUnlessSet(
        key,
        this.walk.redactedValue(record.extraArguments, this.extraArgumentStates[key], 1, key),
      )
    }
    const exception = attributes.chooseException(exceptionArgument)
    const fields =
      exception === undefined
        ? undefined
        : this.addException(exception.error, exception.key, record.eventName !== undefined, argumentFields)
    this.message =
      template === undefined && fields === undefined && record.printfArguments === undefined
        ? this.plainMessage(record)
        : this.composedMessage(record, template, fields)
  }

  // A separate function, like `composedMessage`: V8 allocates the context of a function's closures in each call, even if the call creates
  // none of them.
  private addEnriched(enriched: object, bound: BoundState, inserted: InsertedAttributes<T> | undefined): void {
    const { attributes } = this
    attributes.write(enriched, inserted, (key) => bound.names.has(key) || attributes.hasAttribute(key))
  }

  /**
   * Returns the Error that was an argument, if any. A record of `resolveRecord` has `ExceptionParts` instead, which become
   * `this.exceptionParts`.
   */
  private exceptionArgumentOf({ exception }: LogRecord): unknown {
    if (exception === undefined || !ExceptionParts.is(exception)) return exception
    this.exceptionParts = exception
    return undefined
  }

  private exceptionFieldsOf(error: object, key: string): ExceptionFields {
    const { censor } = this.exceptionRules.redactState
    if (censor !== undefined) return redactedExceptionFields(error, censor, key)
    return exceptionFields(error, this.exceptionRules, key, this.rules.limits)
  }

  private addException(
    error: object,
    key: string,
    isEvent: boolean,
    fields: ExceptionFields = this.exceptionFieldsOf(error, key),
  ): ExceptionFields {
    const { attributes, walk } = this
    const { redactState } = this.exceptionRules
    if (redactState.censor !== undefined) {
      attributes.addUnlessSet(key, walk.redactedValue(error, redactState, 1, key))
      return fields
    }
    const { type, message, stacktrace } = attributes.addException(fields)
    // OpenTelemetry's conventions identify the error of an event by `error.type`.
    if (isEvent && fields.type !== undefined)
      attributes.addUnlessSet('error.type', walk.redactedValue(fields.type, this.errorTypeState, 1, 'error.type'))
    // If the exception was an argument, another Error may be under `err`.
    const membersKey = attributes.hasAttribute(key) ? 'error' : key
    const hasMembers = fields.properties !== undefined && !attributes.hasAttribute(membersKey)
    if (hasMembers)
      attributes.addUnlessSet(membersKey, walk.topMembers(fields.properties, error, key, fields.propertiesRedactState))
    this.exceptionParts = new ExceptionParts(type, message, stacktrace, hasMembers ? membersKey : undefined)
    return fields
  }

  /** Returns the message of a record without inserted values and without an exception. */
  private plainMessage({ body, bound }: LogRecord): string | undefined {
    const text = this.bodyText(body)
    if (text === undefined) return undefined
    if (bound.messagePrefix === '') return this.redactAndCut(text)
    this.structuredBody = undefined
    return this.redactAndCut(bound.messagePrefix + text)
  }

  private composedMessage(
    record: LogRecord,
    template: Template | undefined,
    fields: ExceptionFields | undefined,
  ): string | undefined {
    const { printfArguments: args, bound } = record
    let text = this.bodyText(record.body)
    if (text === undefined) {
      if (fields?.message === undefined) return undefined
      return this.redactAndCut(bound.messagePrefix + fields.message)
    }
    // Only placeholders in the original message count, not those in inserted values.
    if (template !== undefined) {
      const print = args === undefined ? undefined : this.printer(args)
      const insert = (name: string, format: string) =>
        (format === 'duration' ? this.insertedAttributes.duration(name, this.walk) : undefined) ??
        this.insertedAttribute(record, name, format === 'json', fields)
      text = renderTemplate(template, insert, print)
    } else if (args !== undefined && typeof record.body === 'string') text = this.print(text, args).text
    if (fields !== undefined && fields.redactedTexts.length > 0) text = replaceRedactedTexts(text, fields.redactedTexts)
    if (bound.messagePrefix !== '') {
      this.structuredBody = undefined
      text = bound.messagePrefix + text
    }
    return this.redactAndCut(text)
  }

  /** Returns a text, redacted before it is cut, because a pattern would not match a secret that was cut in two. */
  private redactAndCut(text: string): string {
    const { patterns } = this.walk
    const { recordBytes, onTruncated } = this.rules.limits
    if (text.length <= recordBytes + maxMarkerLength) return patterns === undefined ? text : patterns.redact(text)
    onTruncated?.()
    return patterns === undefined
      ? cutWithMarker(text, recordBytes)
      : patterns.redactBeginning(text, recordBytes) + cutMarker(text, recordBytes)
  }

  /** Creates a function that replaces the placeholders in the texts of one message, each with the next argument. */
  private printer(args: readonly unknown[]): (text: string) => string {
    let remainingArgs = args
    return (text) => {
      const printed = this.print(text, remainingArgs)
      remainingArgs = remainingArgs.slice(printed.usedArgCount)
      return printed.text
    }
  }

  private print(text: string, args: readonly unknown[]): FormattedMessage {
    const format = parsePrintf(text)
    return format === undefined ? { text, usedArgCount: 0 } : formatPrintf(format, args, this.insertArgument)
  }

  /** Returns a body as text: a string unchanged, other values as they are inserted into a message and in `structuredBody`. */
  private bodyText(body: unknown): string | undefined {
    if (typeof body === 'string' || body === undefined) return body
    const builtValue = this.walk.body(body, this.bodyStateOf(body))
    this.structuredBody = builtValue
    return builtValue === undefined ? undefined : this.walk.textForMessage(builtValue, false)
  }

  /** Returns the redaction state of a body: that of the attributes, combined for an Error with that of the exception. */
  private bodyStateOf(body: unknown): RedactState {
    const { bodyState } = this
    try {
      return isError(body) ? mergeStates(bodyState, this.exceptionRules.redactState) : bodyState
    } catch {
      return bodyState // a revoked proxy
    }
  }

  private insertedAttribute(
    record: LogRecord,
    name: string,
    asJson: boolean,
    fields: ExceptionFields | undefined,
  ): string | undefined {
    const text = this.insertedAttributes.text(name, asJson, this.walk)
    if (text !== undefined) return text
    if (fields !== undefined && (name === 'err' || name === 'error')) return errorText(fields)
    const { attributes, names } = record.bound
    const bound = attributes.get(names.nameOf(name) ?? name)
    return bound === undefined ? undefined : plainText(bound, asJson)
  }

  private insertedArgument(value: unknown, asJson: boolean): string {
    let state = this.bodyState
    if (isError(value)) {
      // The rules for `err` apply to every Error that is an argument.
      state = mergeStates(state, this.rules.redaction.root.step('err'))
      if (!asJson && state.censor === undefined)
        return errorText(exceptionFields(value, this.exceptionRules, 'err', this.rules.limits))
    }
    const { walk } = this
    if (walk.canInsertIntoMessages) {
      const builtValue = walk.redactedValue(value, state, 1, '')
      return builtValue === undefined ? 'undefined' : walk.textForMessage(builtValue, asJson)
    }
    const argumentWalk = (this.argumentWalk ??= new ValueWalk(this.rules))
    argumentWalk.takeBudgetOf(walk)
    const data = argumentWalk.redactedValue(value, state, 1, '')
    walk.takeBudgetOf(argumentWalk)
    return data === undefined ? 'undefined' : argumentWalk.textForMessage(data, asJson)
  }
}

/** Redacts the names of the event and the level, because callers of OpenTelemetry's Logs API can choose any text. */
function redactNames(record: LogRecord, patterns: TextPatterns): void {
  if (record.eventName !== undefined) record.eventName = patterns.redact(record.eventName)
  record.level = patterns.redact(record.level)
}

/**
 * Returns whether values are inserted into the message: those of attributes that it names, or, after a prefix, a body that is not text.
 * Printf arguments do not count, because `RecordWalk` can insert them without the target.
 */
export function insertsValues(record: LogRecord): boolean {
  const { body, keepsBraces, bound } = record
  if (typeof body !== 'string') return body !== undefined && bound.messagePrefix !== ''
  return !keepsBraces && templateOf(body, record) !== undefined
}

/** The length, in UTF-16 units, of the longest message that is parsed for names of attributes. A longer one is probably data. */
const maxTemplateLength = 65_536

/** Returns the parsed message if it names attributes and the record has any. */
function templateOf(body: string, record: LogRecord): Template | undefined {
  if (
    record.attributes === undefined &&
    record.bound.names.size === 0 &&
    record.enrichedAttributes === undefined &&
    record.baggageAttributes === undefined
  )
    return undefined
  return body.length > maxTemplateLength ? undefined : parseTemplate(body)
}

/** Returns the text of an Error in a message: its type and message. */
function errorText({ type, message }: ExceptionFields): string {
  return type === undefined || message === undefined ? (message ?? type ?? '') : `${type}: ${message}`
}
