import type { LogRecord } from '../../record/record.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { Rules } from '../../values/record-rules.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { exceptionAttributes, redactedExceptionAttributes } from './exception-attributes.ts'
import { validDroppedCount, validEventName, validSeverityNumber } from './field-values.ts'
import { limitedValue } from './limited-value.ts'
import { toHrTime, recordTimes } from './times.ts'
import { validSpanContext } from './span-context.ts'
import type { HrTime, OtelResource, OtelScope, OtelSpanContext, ReadWriteLogRecord } from './types.ts'
import { addMembers } from '../../options/define-member.ts'
import { isObjectPrototypePolluted, membersOf } from '../../options/own-members.ts'

/** The fields that a record can lack: processors may delete them. */
const optionalFieldNames = [
  'spanContext',
  'severityText',
  'severityNumber',
  'body',
  'eventName',
  'droppedAttributesCount',
] as const

/**
 * The record that processors receive. They can read and change its fields, and add and remove attributes, also with `delete`. Changes
 * after the call of `result` have no effect.
 */
export class EditableRecord implements ReadWriteLogRecord {
  hrTime: HrTime
  hrTimeObserved: HrTime
  spanContext?: OtelSpanContext
  severityText?: string
  severityNumber?: number
  body?: unknown
  eventName?: string
  droppedAttributesCount = 0
  attributes: Record<string, unknown>
  readonly instrumentationScope: OtelScope
  readonly resource: OtelResource
  private readonly source: LogRecord
  /** Copies of `hrTime` and `hrTimeObserved` before any processor has changed them, also in place. */
  private readonly originalTimes: readonly [HrTime, HrTime]
  /** The exception attributes with their texts, up to the attribute limit, without those that the record's own attributes have replaced. */
  private readonly exceptionTexts = new Map<string, string>()
  /** The number of exception attributes over the limit. */
  private droppedExceptionAttributes = 0
  private readonly rules: Rules
  private readonly limits: ResolvedLimits
  /** The value of `attributes` when limits were last applied. A processor may have assigned another object since. */
  private limitedAttributes: object
  /**
   * Values that the limits have changed, with their originals, by key. Redaction patterns must match the whole value, so the original
   * is encoded unless a processor has changed the attribute.
   */
  private readonly truncatedValues = new Map<string, { readonly truncated: unknown; readonly original: unknown }>()

  constructor(record: LogRecord, scope: OtelScope, resource: OtelResource, rules: Rules) {
    const { time, exactTimes, span, severity, level, body, eventName, attributes } = record
    this.source = record
    this.hrTime = toHrTime(time, exactTimes?.nanos) ?? [0, 0]
    this.hrTimeObserved =
      exactTimes?.observedNanos === undefined ? [...this.hrTime] : hrTimeOfNanos(exactTimes.observedNanos)
    this.originalTimes = [[...this.hrTime], [...this.hrTimeObserved]]
    if (span !== undefined) this.spanContext = span
    if (severity !== 0) this.severityNumber = severity
    if (level !== '') this.severityText = level
    if (body !== undefined) this.body = body
    if (eventName !== undefined) this.eventName = eventName
    this.limitedAttributes = this.attributes = Object.create(null) as Record<string, unknown>
    this.instrumentationScope = scope
    this.resource = resource
    this.rules = rules
    this.limits = rules.limits
    if (record.exception !== undefined) this.addException(record.exception as object)
    if (attributes !== undefined) this.copyAttributes(attributes)
    if (record.baggageAttributes !== undefined) this.addBaggage(record.baggageAttributes)
    // The record's own attributes may have replaced exception attributes.
    for (const [key, text] of this.exceptionTexts) if (this.untruncated(key) !== text) this.exceptionTexts.delete(key)
  }

  setAttribute(key: string, value?: unknown): this {
    if (value === undefined) return this
    if (this.attributes !== this.limitedAttributes) this.limitAttributes()
    const { attributes } = this
    if (Object.hasOwn(attributes, key) || Object.keys(attributes).length < this.limits.attributes)
      this.setLimited(key, value)
    else this.countDropped()
    return this
  }
  setAttributes(attributes: object): this {
    for (const [key, value] of Object.entries(attributes)) this.setAttribute(key, value)
    return this
  }
  setBody(body: unknown): this {
    this.body = body
    return this
  }
  setEventName(eventName: string): this {
    this.eventName = eventName
    return this
  }
  setSeverityNumber(severityNumber: number): this {
    this.severityNumber = severityNumber
    return this
  }
  setSeverityText(severityText: string): this {
    this.severityText = severityText
    return this
  }

  /** Applies the limits to attributes that a processor has set without `setAttribute`: on `attributes`, or by replacing `attributes`. */
  limitAttributes(): void {
    const { attributes } = this
    if (attributes === this.limitedAttributes && this.isWithinLimits()) return
    this.limitedAttributes = this.attributes = Object.create(null) as Record<string, unknown>
    if (typeof attributes === 'object' && attributes !== null) this.copyAttributes(attributes)
  }

  /**
   * Returns the record with the changes of the processors. They can set any field to any value, so invalid values are
   * replaced or omitted.
   *
   * @param now - the current time in ms since the Unix epoch, which replaces invalid times
   */
  result(now: number): LogRecord {
    if (this.attributes !== this.limitedAttributes) this.limitAttributes()
    const { source, hrTime, hrTimeObserved } = this
    // A processor may have deleted fields. Members of these names on `Object.prototype` are not read in their place.
    const { spanContext, severityText, severityNumber, body, eventName, droppedAttributesCount } =
      isObjectPrototypePolluted() ? membersOf(this as EditableRecord, optionalFieldNames) : this
    const [original, originalObserved] = this.originalTimes
    const areTimesUnchanged = isSameTime(hrTime, original) && isSameTime(hrTimeObserved, originalObserved)
    const times = areTimesUnchanged ? undefined : recordTimes(hrTime, hrTimeObserved, now)
    const attributes = { __proto__: null, ...this.attributes } as Record<string, unknown>
    for (const [key, { truncated, original }] of this.truncatedValues)
      if (attributes[key] === truncated) attributes[key] = original
    const unchangedKeys = [...this.exceptionTexts].filter(([key, text]) => attributes[key] === text).map(([key]) => key)
    const isExceptionUnchanged = unchangedKeys.length === this.exceptionTexts.size
    // If no exception attribute has changed, the exception itself is encoded: the encoder adds its attributes, and counts those over
    // the limit again. Otherwise the unchanged attributes are added here, redacted by the rules for exceptions.
    for (const key of unchangedKeys) delete attributes[key]
    if (!isExceptionUnchanged)
      addMembers(attributes, redactedExceptionAttributes(source.exception as object, unchangedKeys, this.rules))
    const dropped =
      validDroppedCount(droppedAttributesCount) - (isExceptionUnchanged ? this.droppedExceptionAttributes : 0)
    return {
      ...source,
      ...(times === undefined ? {} : { time: times.time, exactTimes: times.exactTimes }),
      severity: validSeverityNumber(severityNumber),
      level: typeof severityText === 'string' ? severityText : '',
      body,
      eventName: validEventName(eventName),
      span: spanContext === source.span ? source.span : validSpanContext(spanContext),
      attributes,
      baggageAttributes: undefined, // `attributes` has them, unless a processor removed them.
      exception: isExceptionUnchanged ? source.exception : undefined,
      droppedAttributes: Math.max(dropped, 0),
    }
  }

  /** Adds the exception attributes. They are added before all others, so that the limit drops them last. */
  private addException(error: object): void {
    for (const [key, text] of exceptionAttributes(error)) {
      if (this.exceptionTexts.size < this.limits.attributes) {
        this.exceptionTexts.set(key, text)
        this.setLimited(key, text)
      } else {
        this.droppedExceptionAttributes++
        this.countDropped()
      }
    }
  }

  /** Adds entries of baggage up to the limit, except those whose names are already used. */
  private addBaggage(entries: object): void {
    for (const [name, value] of Object.entries(entries))
      if (!Object.hasOwn(this.attributes, name)) this.setAttribute(name, value)
  }

  /**
   * Copies attributes up to the limit. A value whose getter throws is replaced by a marker that describes the thrown error.
   */
  private copyAttributes(attributes: object): void {
    let remaining = this.limits.attributes - Object.keys(this.attributes).length
    try {
      const isMap = attributes instanceof Map
      for (const name of isMap ? attributes.keys() : Object.keys(attributes)) {
        const key = String(name)
        let value: unknown
        try {
          value = isMap ? attributes.get(name) : (attributes as Record<string, unknown>)[key]
        } catch (error) {
          value = thrownMarker(error)
        }
        if (value === undefined) continue
        if (Object.hasOwn(this.attributes, key) || --remaining >= 0) this.setLimited(key, value)
        else this.countDropped()
      }
    } catch (error) {
      this.setLimited('attributes', thrownMarker(error)) // a proxy threw
    }
  }

  /** Sets an attribute to a value, truncated to the limits. */
  private setLimited(key: string, value: unknown): void {
    const truncated = truncatedValue(value, this.limits)
    this.attributes[key] = truncated
    if (truncated !== value) this.truncatedValues.set(key, { truncated, original: value })
    // A value that was truncated before, as when `limitAttributes` copies it, keeps its original.
    else if (this.truncatedValues.get(key)?.truncated !== value) this.truncatedValues.delete(key)
  }

  /** Returns the value of an attribute before truncation. */
  private untruncated(key: string): unknown {
    return this.truncatedValues.get(key)?.original ?? this.attributes[key]
  }

  private isWithinLimits(): boolean {
    const { attributes, limits } = this
    try {
      const keys = Object.keys(attributes)
      return (
        keys.length <= limits.attributes &&
        keys.every((key) => limitedValue(attributes[key], limits) === attributes[key])
      )
    } catch {
      return false // a getter threw
    }
  }

  private countDropped(): void {
    this.droppedAttributesCount++
    this.limits.onAttributeDropped?.()
  }
}

/** Returns a value with the limits applied, or unchanged if reading it throws: the encoder then writes a marker for the error. */
function truncatedValue(value: unknown, limits: ResolvedLimits): unknown {
  try {
    return limitedValue(value, limits)
  } catch {
    return value
  }
}

/** Returns whether a time that a processor may have replaced by any value equals another one. */
function isSameTime(time: unknown, [seconds, nanos]: HrTime): boolean {
  try {
    return Array.isArray(time) && time[0] === seconds && time[1] === nanos
  } catch {
    return false // a proxy threw; the time is invalid
  }
}

/** Converts a time in nanoseconds since the Unix epoch, as decimal text. */
function hrTimeOfNanos(nanos: string): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]
}
