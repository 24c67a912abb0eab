import type { LogRecord } from '../../record/record.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import type { Rules } from '../../values/record-rules.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { exceptionAttributes, redactedException } from './exception-attributes.ts'
import { droppedCount, eventNameOf, severityNumberOf } from './field-values.ts'
import { limitedValue } from './limited-value.ts'
import { hrTimeOf, recordTimes } from './times.ts'
import { validSpanContext } from './span-context.ts'
import type { HrTime, OtelResource, OtelScope, OtelSpanContext, ReadWriteLogRecord } from './types.ts'
import { addMembers } from '../../options/define-member.ts'
import { isPolluted, membersOf } from '../../options/own-members.ts'

const fieldNames = [
  'spanContext',
  'severityText',
  'severityNumber',
  'body',
  'eventName',
  'droppedAttributesCount',
] as const

/**
 * The record that processors receive. They can read and change it, and add and remove attributes, also with `delete` (REC1, REC2,
 * D25). `result` reads it after the last processor has returned; later changes have no effect.
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
  private readonly times: readonly [HrTime, HrTime]
  /** The exception attributes that the call did not set itself, up to the attribute limit. */
  private readonly exception = new Map<string, string>()
  /** The number of exception attributes over the limit. */
  private exceptionDropped = 0
  private readonly rules: Rules
  private readonly limits: ResolvedLimits
  /** The attributes after limits were applied. A processor may have replaced `attributes` with another object. */
  private limited: object
  /**
   * Truncated values with their originals, by key. Redaction patterns must match the whole value, so the original is encoded unless
   * a processor changed the attribute.
   */
  private readonly truncatedValues = new Map<string, { readonly cut: unknown; readonly value: unknown }>()

  constructor(record: LogRecord, scope: OtelScope, resource: OtelResource, rules: Rules) {
    const { time, exact, span, severity, level, body, eventName, attributes } = record
    this.source = record
    this.hrTime = hrTimeOf(time, exact?.nanos) ?? [0, 0]
    this.hrTimeObserved = exact?.observed === undefined ? this.hrTime : hrTimeOfNanos(exact.observed)
    this.times = [this.hrTime, this.hrTimeObserved]
    if (span !== undefined) this.spanContext = span
    if (severity !== 0) this.severityNumber = severity
    if (level !== '') this.severityText = level
    if (body !== undefined) this.body = body
    if (eventName !== undefined) this.eventName = eventName
    this.limited = this.attributes = Object.create(null) as Record<string, unknown>
    this.instrumentationScope = scope
    this.resource = resource
    this.rules = rules
    this.limits = rules.limits
    if (record.exception !== undefined) this.addException(record.exception as object)
    if (attributes !== undefined) this.fill(attributes)
    for (const [key, text] of this.exception) if (this.original(key) !== text) this.exception.delete(key)
  }

  setAttribute(key: string, value?: unknown): this {
    if (value === undefined) return this
    if (this.attributes !== this.limited) this.limitAttributes()
    const { attributes } = this
    if (Object.hasOwn(attributes, key) || Object.keys(attributes).length < this.limits.attributes) this.put(key, value)
    else this.drop()
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

  /** Applies the limits to attributes that a processor set directly on `attributes`, or to the object that it assigned instead. */
  limitAttributes(): void {
    const { attributes } = this
    if (attributes === this.limited && this.isLimited()) return
    this.limited = this.attributes = Object.create(null) as Record<string, unknown>
    if (typeof attributes === 'object' && attributes !== null) this.fill(attributes)
  }

  /**
   * Returns the record as the processors left it. Processors can set any field to any value, so each field is validated before
   * encoding.
   */
  result(now: number): LogRecord {
    if (this.attributes !== this.limited) this.limitAttributes()
    const { source, hrTime, hrTimeObserved } = this
    // Read own members only: a processor may have deleted some of them.
    const { spanContext, severityText, severityNumber, body, eventName, droppedAttributesCount } = isPolluted()
      ? membersOf(this as EditableRecord, fieldNames)
      : this
    const isTimeChanged = hrTime !== this.times[0] || hrTimeObserved !== this.times[1]
    const times = isTimeChanged ? recordTimes(hrTime, hrTimeObserved, now) : undefined
    const attributes = { __proto__: null, ...this.attributes } as Record<string, unknown>
    for (const [key, { cut, value }] of this.truncatedValues) if (attributes[key] === cut) attributes[key] = value
    const unchangedKeys = [...this.exception].filter(([key, text]) => attributes[key] === text).map(([key]) => key)
    const isExceptionUnchanged = unchangedKeys.length === this.exception.size
    // When no exception attribute changed, the exception itself is encoded, and the encoder counts the attributes over the limit
    // again.
    for (const key of unchangedKeys) delete attributes[key]
    if (!isExceptionUnchanged)
      addMembers(attributes, redactedException(source.exception as object, unchangedKeys, this.rules))
    const dropped = droppedCount(droppedAttributesCount) - (isExceptionUnchanged ? this.exceptionDropped : 0)
    return {
      ...source,
      ...(times === undefined ? {} : { time: times.time, exact: times.exact }),
      severity: severityNumberOf(severityNumber),
      level: typeof severityText === 'string' ? severityText : '',
      body,
      eventName: eventNameOf(eventName),
      span: spanContext === source.span ? source.span : validSpanContext(spanContext),
      attributes,
      exception: isExceptionUnchanged ? source.exception : undefined,
      droppedAttributes: Math.max(dropped, 0),
    }
  }

  /** Adds the exception attributes before all others, so the limit drops them last. */
  private addException(error: object): void {
    for (const [key, text] of exceptionAttributes(error)) {
      if (this.exception.size < this.limits.attributes) {
        this.exception.set(key, text)
        this.put(key, text)
      } else {
        this.exceptionDropped++
        this.drop()
      }
    }
  }

  /**
   * Copies attributes up to the limit. A value whose getter throws is replaced by a marker that describes the thrown error (ERR4).
   */
  private fill(attributes: object): void {
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
        if (Object.hasOwn(this.attributes, key) || --remaining >= 0) this.put(key, value)
        else this.drop()
      }
    } catch (error) {
      this.put('attributes', thrownMarker(error)) // a proxy
    }
  }

  private put(key: string, value: unknown): void {
    const cut = cutValue(value, this.limits)
    this.attributes[key] = cut
    if (cut !== value) this.truncatedValues.set(key, { cut, value })
    else if (this.truncatedValues.get(key)?.cut !== cut) this.truncatedValues.delete(key)
  }

  /** Returns the value of an attribute before truncation. */
  private original(key: string): unknown {
    return this.truncatedValues.get(key)?.value ?? this.attributes[key]
  }

  private isLimited(): boolean {
    const { attributes, limits } = this
    try {
      const keys = Object.keys(attributes)
      return (
        keys.length <= limits.attributes &&
        keys.every((key) => limitedValue(attributes[key], limits) === attributes[key])
      )
    } catch {
      return false // a getter
    }
  }

  private drop(): void {
    this.droppedAttributesCount++
    this.limits.surplus?.()
  }
}

/** Returns the value unchanged when reading it throws; the encoder then writes a marker for the error. */
function cutValue(value: unknown, limits: ResolvedLimits): unknown {
  try {
    return limitedValue(value, limits)
  } catch {
    return value
  }
}

function hrTimeOfNanos(nanos: string): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]
}
