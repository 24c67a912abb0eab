/** What the viewer keeps of a span. */
export interface StoredSpan {
  /** 16 hexadecimal digits. */
  readonly spanId: string
  /** '' for a root span. */
  readonly parentSpanId: string
  readonly name: string
  /** '' without a service. */
  readonly service: string
  /** Milliseconds since the Unix epoch. */
  readonly start: number
  /** Milliseconds since the Unix epoch. */
  readonly end: number
  readonly hasError: boolean
}

const maxNameLength = 200
const maxSpansOfTrace = 1_000

/** Receives spans. */
export interface SpanSink {
  add(traceId: string, span: StoredSpan): void
}

/** Keeps the newest spans in memory, by trace. */
export class SpanStore implements SpanSink {
  private readonly traces = new Map<string, StoredSpan[]>()
  readonly maxSpans: number
  private count = 0
  private received = 0

  /** @param maxSpans - the maximum number of spans; with more, those of the oldest trace are removed */
  constructor(maxSpans = 50_000) {
    this.maxSpans = maxSpans
  }

  /** The number of spans that were added. It changes when there are new ones. */
  get version(): number {
    return this.received
  }

  add(traceId: string, span: StoredSpan): void {
    const spans = this.traces.get(traceId) ?? []
    if (spans.length === 0) this.traces.set(traceId, spans)
    this.received++
    if (spans.length >= maxSpansOfTrace) return
    spans.push({ ...span, name: shortCopy(span.name), service: shortCopy(span.service) })
    this.count++
    while (this.count > this.maxSpans) this.removeOldest()
  }

  /** Returns the spans of a trace in the order of their start. */
  ofTrace(traceId: string): readonly StoredSpan[] {
    return (this.traces.get(traceId) ?? []).toSorted((a, b) => a.start - b.start)
  }

  private removeOldest(): void {
    const oldest = this.traces.entries().next().value
    if (oldest === undefined) return
    this.traces.delete(oldest[0])
    this.count -= oldest[1].length
  }
}

/** Returns the first characters of a text. A part of a text would keep the memory of the whole text, so it is a copy. */
function shortCopy(text: string): string {
  return text.length <= maxNameLength ? text : Buffer.from(text.slice(0, maxNameLength)).toString()
}
