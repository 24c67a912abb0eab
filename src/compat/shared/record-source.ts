import type { AttributeSource } from '../../levels/directive.ts'
import { activeBaggageEntry } from '../../otel/api/baggage.ts'
import { activeSpanContext } from '../../otel/api/span-context.ts'
import { sharedContextStorage } from '../../platform/node/with-context.ts'
import type { AnyValue } from '../../record/any-value.ts'

/** The attributes of a logger with the API of another library, by which directives select its records. */
export interface RecordAttributes {
  /** Returns the redacted members that the logger adds to each record. */
  bound(): Readonly<Record<string, unknown>>
  /** Returns a value as the logger would write it under a key: redacted. */
  redacted(key: string, value: AnyValue): unknown
}

/**
 * The values by which directives select the records of a logger with the API of another library: the IDs of the active span, the attributes
 * of `withContext`, those that the logger adds to each record, and baggage. All are redacted, so that a directive cannot find out a secret.
 */
export class RecordSource implements AttributeSource {
  private readonly attributes: RecordAttributes
  private bound: Readonly<Record<string, unknown>> | undefined

  constructor(attributes: RecordAttributes) {
    this.attributes = attributes
  }

  attributeOf(key: string): AnyValue | undefined {
    if (key === 'trace_id' || key === 'span_id') {
      const span = activeSpanContext()
      if (span !== undefined) return key === 'trace_id' ? span.traceId : span.spanId
    }
    const ofContext = this.redacted(key, sharedContextStorage().get()?.bound.valueOfKey(key))
    if (ofContext !== undefined) return ofContext
    this.bound ??= this.attributes.bound()
    const ofLogger = Object.hasOwn(this.bound, key) ? scalar(this.bound[key]) : undefined
    return ofLogger ?? this.redacted(key, activeBaggageEntry(key))
  }

  private redacted(key: string, value: AnyValue | undefined): AnyValue | undefined {
    return scalar(value) === undefined ? undefined : scalar(this.attributes.redacted(key, value!))
  }
}

/** Returns a value that can be compared with the value of a condition; undefined for others. */
function scalar(value: unknown): string | number | boolean | bigint | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
      return value
    default:
      return undefined
  }
}
