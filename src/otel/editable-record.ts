import type { LogRecord } from '../record/record.ts'
import type { ResolvedLimits } from '../rules/limits.ts'
import { exceptionOf } from '../rules/exception.ts'
import { threw } from '../rules/threw.ts'
import { droppedCount, eventNameOf, severityNumberOf } from './field-values.ts'
import { limitedValue } from './limited-value.ts'
import { hrTimeOf, recordTimes } from './times.ts'
import { validSpanContext } from './span-context.ts'
import type { HrTime, OtelResource, OtelScope, OtelSpanContext, ReadWriteLogRecord } from './types.ts'

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
  readonly attributes: Record<string, unknown>
  readonly instrumentationScope: OtelScope
  readonly resource: OtelResource
  private readonly source: LogRecord
  private readonly times: readonly [HrTime, HrTime]
  /** What the exception says of itself. It becomes attributes where a processor has changed it. */
  private readonly exception: Readonly<Record<string, string>>
  private readonly limits: ResolvedLimits
  /** Values that were cut, by key: patterns must see them whole, so they are encoded where no processor has changed them. */
  private readonly whole = new Map<string, { readonly cut: unknown; readonly value: unknown }>()

  constructor(record: LogRecord, scope: OtelScope, resource: OtelResource, limits: ResolvedLimits) {
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
    this.exception = record.exception === undefined ? {} : exceptionAttributes(record.exception as object)
    this.attributes = Object.create(null) as Record<string, unknown>
    this.instrumentationScope = scope
    this.resource = resource
    this.limits = limits
    for (const [key, text] of Object.entries(this.exception)) this.put(key, text)
    if (attributes !== undefined) this.fill(attributes)
  }

  setAttribute(key: string, value?: unknown): this {
    if (value === undefined) return this
    // Those of an exception do not count.
    const count = Object.keys(this.attributes).filter((name) => !Object.hasOwn(this.exception, name)).length
    if (key in this.attributes || count < this.limits.attributes) this.put(key, value)
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

  /** What the processors have left. They may have put anything anywhere, and no line and no request may suffer from it. */
  result(now: number): LogRecord {
    const { source, hrTime, hrTimeObserved, spanContext, severityText } = this
    const isTimed = hrTime !== this.times[0] || hrTimeObserved !== this.times[1]
    const times = isTimed ? recordTimes(hrTime, hrTimeObserved, now) : undefined
    const attributes = { __proto__: null, ...this.attributes } as Record<string, unknown>
    for (const [key, { cut, value }] of this.whole) if (attributes[key] === cut) attributes[key] = value
    const isUntouched = Object.entries(this.exception).every(([key, text]) => attributes[key] === text)
    // Untouched, the exception says it itself, with its causes and by the rules for it.
    if (isUntouched) for (const key of Object.keys(this.exception)) delete attributes[key]
    return {
      ...source,
      ...(times === undefined ? {} : { time: times.time, exact: times.exact }),
      severity: severityNumberOf(this.severityNumber),
      level: typeof severityText === 'string' ? severityText : '',
      body: this.body,
      eventName: eventNameOf(this.eventName),
      span: spanContext === source.span ? source.span : validSpanContext(spanContext),
      attributes,
      exception: isUntouched ? source.exception : undefined,
      droppedAttributes: droppedCount(this.droppedAttributesCount),
    }
  }

  /** Copies the attributes of the call. A value that throws is what it threw (ERR4). */
  private fill(attributes: object): void {
    let room = this.limits.attributes
    try {
      const isMap = attributes instanceof Map
      for (const name of isMap ? attributes.keys() : Object.keys(attributes)) {
        const key = String(name)
        let value: unknown
        try {
          value = isMap ? attributes.get(name) : (attributes as Record<string, unknown>)[key]
        } catch (error) {
          value = threw(error)
        }
        if (value === undefined) continue
        if (--room >= 0) this.put(key, value)
        else this.drop()
      }
    } catch (error) {
      this.put('attributes', threw(error)) // a proxy
    }
  }

  private put(key: string, value: unknown): void {
    const cut = cutValue(value, this.limits)
    this.attributes[key] = cut
    if (cut === value) this.whole.delete(key)
    else this.whole.set(key, { cut, value })
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

function exceptionAttributes(error: object): Record<string, string> {
  const { type, message, stacktrace } = exceptionOf(error)
  return {
    'exception.type': type,
    'exception.message': message,
    ...(stacktrace === undefined ? {} : { 'exception.stacktrace': stacktrace }),
  }
}

function hrTimeOfNanos(nanos: string): HrTime {
  return [Number(nanos.slice(0, -9)), Number(nanos.slice(-9))]
}
