import { importRival } from './rival.ts'

interface Api {
  trace: { getActiveSpan(): { spanContext(): SpanContext } | undefined }
}
interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

/** Returns a function that returns the ids of the active span, with the names of pino's instrumentation. */
export async function activeSpan(): Promise<() => object> {
  const { trace } = await importRival<Api>('@opentelemetry/api')
  return () => {
    const span = trace.getActiveSpan()
    if (span === undefined) return {}
    const { traceId, spanId, traceFlags } = span.spanContext()
    return { trace_id: traceId, span_id: spanId, trace_flags: `0${traceFlags.toString(16)}` }
  }
}
