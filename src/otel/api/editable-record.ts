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
 * A record on its way through processors: they read and change it, and add and remove attributes, also by `delete` (REC1,
 * REC2, D25). It is read when the last of them is done; what is changed later changes nothing.
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
  /** The attributes of the exception that the call did not set, as many as the limit allows. */
  private readonly exception = new Map<string, string>()
  /** How many attributes of the exception are past the limit. */
  private exceptionDropped = 0
  private readonly rules: Rules
  private readonly limits: ResolvedLimits
  /** The attributes within the limits; a processor may have put another object in their place. */
  private limited: object
  /** Values that were cut, by key: patterns must see them whole, so they are encoded where no processor has changed them. */
  private readonly whole = new Map<string, { readonly cut: unknown; readonly value: unknown }>()

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

  /** Applies the limits to what a processor wrote into `attributes` itself, or put in their place. */
  limitAttributes(): void {
    const { attributes } = this
    if (attributes === this.limited && this.isLimited()) return
    this.limited = this.attributes = Object.create(null) as Record<string, unknown>
    if (typeof attributes === 'object' && attributes !== null) this.fill(attributes)
  }

  /** What the processors have left. They may have put anything anywhere, and no line and no request may suffer from it. */
  result(now: number): LogRecord {
    if (this.attributes !== this.limited) this.limitAttributes()
    const { source, hrTime, hrTimeObserved } = this
    // A processor may have deleted them.
    const { spanContext, severityText, severityNumber, body, eventName, droppedAttributesCount } = isPolluted()
      ? membersOf(this as EditableRecord, fieldNames)
      : this
    const isTimed = hrTime !== this.times[0] || hrTimeObserved !== this.times[1]
    const times = isTimed ? recordTimes(hrTime, hrTimeObserved, now) : undefined
    const attributes = { __proto__: null, ...this.attributes } as Record<string, unknown>
    for (const [key, { cut, value }] of this.whole) if (attributes[key] === cut) attributes[key] = value
    const untouched = [...this.exception].filter(([key, text]) => attributes[key] === text).map(([key]) => key)
    const isUntouched = untouched.length === this.exception.size
    // Untouched, the exception itself is encoded, which counts again what is past the limit.
    for (const key of untouched) delete attributes[key]
    if (!isUntouched) addMembers(attributes, redactedException(source.exception as object, untouched, this.rules))
    const dropped = droppedCount(droppedAttributesCount) - (isUntouched ? this.exceptionDropped : 0)
    return {
      ...source,
      ...(times === undefined ? {} : { time: times.time, exact: times.exact }),
      severity: severityNumberOf(severityNumber),
      level: typeof severityText === 'string' ? severityText : '',
      body,
      eventName: eventNameOf(eventName),
      span: spanContext === source.span ? source.span : validSpanContext(spanContext),
      attributes,
      exception: isUntouched ? source.exception : undefined,
      droppedAttributes: Math.max(dropped, 0),
    }
  }

  /** The attributes of an exception come first: they are the last ones that the limit drops. */
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

  /** Copies attributes, as many as the limit allows. A value that throws is what it threw (ERR4). */
  private fill(attributes: object): void {
    let room = this.limits.attributes - Object.keys(this.attributes).length
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
        if (Object.hasOwn(this.attributes, key) || --room >= 0) this.put(key, value)
        else this.drop()
      }
    } catch (error) {
      this.put('attributes', thrownMarker(error)) // a proxy
    }
  }

  private put(key: string, value: unknown): void {
    const cut = cutValue(value, this.limits)
    this.attributes[key] = cut
    if (cut !== value) this.whole.set(key, { cut, value })
    else if (this.whole.get(key)?.cut !== cut) this.whole.delete(key)
  }

  /** The value of an attribute as it was before it was cut. */
  private original(key: string): unknown {
    return this.whole.get(key)?.value ?? this.attributes[key]
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

/** What throws when it is read stays as it is: the record will show that. */
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
