import type { Resolver } from '../../encode/walk/resolve.ts'
import type { AttributeSource } from '../../levels/directive.ts'
import type { AnyValue, AnyValueMap } from '../../record/any-value.ts'
import { activeBaggageEntry, baggageEntry, baggageIn } from './baggage.ts'
import { activeSpanContext, spanContextIn } from './span-context.ts'
import type { OtelContext } from './types.ts'

/** The values by which level directives select records of a scope: the attributes of the scope, and the span and baggage of a context. */
export class ScopeAttributeSource implements AttributeSource {
  private readonly attributes: AnyValueMap | undefined
  private readonly resolver: Resolver
  /** The context of the current record; undefined for the active one. */
  private context: OtelContext | undefined

  /**
   * @param attributes - those of the scope, redacted
   * @param resolver - redacts baggage, so that a directive cannot find out a secret
   */
  constructor(attributes: AnyValueMap | undefined, resolver: Resolver) {
    this.attributes = attributes
    this.resolver = resolver
  }

  /** Returns this source for a record in a context. */
  in(context: OtelContext | undefined): this {
    this.context = context ?? undefined
    return this
  }

  attributeOf(key: string): AnyValue | undefined {
    const { context } = this
    if (key === 'trace_id' || key === 'span_id') {
      const span = context === undefined ? activeSpanContext() : spanContextIn(context)
      if (span !== undefined) return key === 'trace_id' ? span.traceId : span.spanId
    }
    const ofScope = this.attributes?.get(key)
    if (ofScope !== undefined) return ofScope
    const entry = context === undefined ? activeBaggageEntry(key) : baggageEntry(baggageIn(context), key)
    return entry === undefined ? undefined : this.resolver.snapshot({ [key]: entry }).values[0]
  }
}
