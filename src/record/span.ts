/** The identity of a span, as in W3C Trace Context. */
export interface SpanContext {
  /** 32 lowercase hex digits, not all zero. */
  readonly traceId: string
  /** 16 lowercase hex digits, not all zero. */
  readonly spanId: string
  /** The low 8 bits are the W3C flags; bit 0 is "sampled". */
  readonly traceFlags: number
  /** The `tracestate` header of W3C Trace Context; undefined if the span has none. */
  readonly traceState?: string | undefined
}
