import { ignoreRejection } from '../../options/observe-promise.ts'
import type { SpanContext } from '../../record/span.ts'
import { rootContext } from './root-context.ts'
import type { OtelContext } from './types.ts'
import { isContextPolluted, member, membersOf } from '../../options/own-members.ts'

/**
 * Returns the span context of the active span; undefined when there is no active span or its span context is invalid. It is read
 * through the global that every 1.x version of `@opentelemetry/api` uses, so that no copy of the package is needed and every copy and
 * version works (1.9 and 1.10 reject each other's registrations). Never throws.
 */
export function activeSpanContext(): SpanContext | undefined {
  let active: ForeignContext | undefined
  let span: ForeignSpan | undefined
  try {
    const manager = contextManagerOf((globalThis as unknown as ApiGlobal)[apiKey])
    if (manager === undefined) return undefined
    active = manager.active()
    span = active.getValue(spanKey)
    const spanContext = span?.spanContext()
    return spanContext === lastSpanContext ? lastValidated : validSpanContext(spanContext)
  } catch {
    // A custom context manager or span threw, or returned a promise.
    ignoreRejection(active)
    ignoreRejection(span)
    return undefined
  }
}

/** Returns whether a context manager is registered. Without one, the root context is always active. */
export function hasContextManager(): boolean {
  return contextManagerOf((globalThis as unknown as ApiGlobal)[apiKey]) !== undefined
}

/** Returns the active context, or the root context when no context manager is registered. Never throws. */
export function activeContext(): OtelContext {
  try {
    const context = contextManagerOf((globalThis as unknown as ApiGlobal)[apiKey])?.active() ?? rootContext
    // A custom context manager can return a promise.
    return ignoreRejection(context) ? rootContext : (context as OtelContext)
  } catch {
    return rootContext // a custom context manager threw
  }
}

/** Returns the span context of the span in a context; undefined if the context has no span or an invalid one. Never throws. */
export function spanContextIn(context: OtelContext): SpanContext | undefined {
  let span: Partial<ForeignSpan> | undefined
  try {
    span = context.getValue(spanKey) as Partial<ForeignSpan> | undefined
    // A custom context can return a promise.
    if (ignoreRejection(span)) return undefined
    return validSpanContext(span && member(span, 'spanContext')?.call(span))
  } catch {
    ignoreRejection(context)
    return undefined // a custom context or span threw
  }
}

/** Returns a span context with validated IDs; undefined when it is invalid. Throws when reading it throws. */
export function validSpanContext(context: ForeignSpanContext | undefined): SpanContext | undefined {
  if (context !== lastSpanContext) {
    // Reset the cache first, so that it does not keep the IDs of the previous span when reading these throws.
    lastValidated = undefined
    lastSpanContext = context
    lastValidated = validated(context)
  }
  return lastValidated
}

const apiKey = Symbol.for('opentelemetry.js.api.1')
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN')

/** The parts of the API's objects that are used here. They can come from any copy of the API, or be custom. */
interface ContextManager {
  active(): ForeignContext
}

interface Api {
  readonly context?: ContextManager
}

interface ApiGlobal {
  readonly [apiKey]?: Api
}

function contextManagerOf(api: Api | undefined): ContextManager | undefined {
  return api !== undefined && isContextPolluted() ? member(api, 'context') : api?.context
}

interface ForeignContext {
  getValue(key: symbol): ForeignSpan | undefined
}

interface ForeignSpan {
  spanContext(): ForeignSpanContext | undefined
}

export interface ForeignSpanContext {
  readonly traceId?: unknown
  readonly spanId?: unknown
  readonly traceFlags?: unknown
  readonly traceState?: unknown
}

// A span always returns the same span context object, and consecutive records often belong to the same span, so the result of the last
// validation is cached.
let lastSpanContext: ForeignSpanContext | undefined
let lastValidated: SpanContext | undefined

const traceIdPattern = /^(?!0{32})[0-9a-f]{32}$/i
const spanIdPattern = /^(?!0{16})[0-9a-f]{16}$/i

/** Returns a span context if its IDs are valid: an ID of the wrong length would make a Collector reject the whole request. */
function validated(context: ForeignSpanContext | undefined): SpanContext | undefined {
  if (context === undefined || context === null) return undefined
  const { traceId, spanId, traceFlags } = membersOf(context, ['traceId', 'spanId', 'traceFlags'])
  if (typeof traceId !== 'string' || !traceIdPattern.test(traceId)) {
    // It may be the promise of a custom span.
    ignoreRejection(context)
    return undefined
  }
  if (typeof spanId !== 'string' || !spanIdPattern.test(spanId)) return undefined
  const flags = typeof traceFlags === 'number' ? traceFlags & 0xff : 0
  return Object.freeze(new ValidSpanContext(traceId.toLowerCase(), spanId.toLowerCase(), flags, context))
}

/** A span context whose trace state is read when it is first needed, because most loggers never need it. */
class ValidSpanContext implements SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
  readonly #foreign: ForeignSpanContext
  /** Null until it is read. */
  #traceState: string | undefined | null = null

  constructor(traceId: string, spanId: string, traceFlags: number, foreign: ForeignSpanContext) {
    this.traceId = traceId
    this.spanId = spanId
    this.traceFlags = traceFlags
    this.#foreign = foreign
  }

  get traceState(): string | undefined {
    if (this.#traceState === null) {
      this.#traceState = undefined
      this.#traceState = serializedTraceState(this.#foreign)
    }
    return this.#traceState
  }
}

/** Returns the text of the trace state of a span context; undefined if it has none or reading it throws. */
function serializedTraceState(context: ForeignSpanContext): string | undefined {
  try {
    const traceState = member(context, 'traceState')
    if (typeof traceState !== 'object' || traceState === null) return undefined
    const text = member(traceState as { serialize?(): unknown }, 'serialize')?.call(traceState)
    ignoreRejection(text)
    return typeof text === 'string' && text !== '' ? text : undefined
  } catch {
    return undefined // a custom trace state threw
  }
}
