import type { Span } from './server-types.ts'
import { shownInLine } from './shown-text.ts'
import { durationText } from './time-text.ts'

const maxShown = 200
const maxDepth = 20
const indentPixels = 12

interface SpanListProps {
  readonly spans: readonly Span[]
  /** The times of the trace, in ms since the Unix epoch. */
  readonly start: number
  readonly end: number
}

/** The spans of a trace, with bars for their time. */
export function SpanList({ spans, start, end }: SpanListProps) {
  if (spans.length === 0) return null
  const width = Math.max(0.001, end - start)
  const depths = depthsOf(spans)
  return (
    <ol class="spans" aria-label="Spans">
      {spans.slice(0, maxShown).map((span) => (
        <li key={span.spanId} class={span.hasError ? 'failed' : ''}>
          <span
            class="span-name"
            style={{ paddingLeft: `${(depths.get(span.spanId) ?? 0) * indentPixels}px` }}
            title={span.name}
          >
            {shownInLine(span.name)} <i>{shownInLine(span.service)}</i>
          </span>
          <span class="span-bar">
            <span
              style={{
                left: `${((span.start - start) / width) * 100}%`,
                width: `${Math.max(0.3, ((span.end - span.start) / width) * 100)}%`,
              }}
            />
          </span>
          <span class="span-time">
            {span.hasError && <b class="mark">✖ </b>}
            {durationText(span.end - span.start)}
          </span>
        </li>
      ))}
      {spans.length > maxShown && <li class="note">and {spans.length - maxShown} more spans</li>}
    </ol>
  )
}

/** Returns how deep each span is. A span whose parent is unknown, or is the span itself, is a root. */
function depthsOf(spans: readonly Span[]): Map<string, number> {
  const parents = new Map(spans.map((span) => [span.spanId, span.parentSpanId]))
  const depths = new Map<string, number>()
  for (const { spanId } of spans) {
    let depth = 0
    for (let parent = parents.get(spanId); parent !== undefined && parents.has(parent) && depth < maxDepth; depth++)
      parent = parents.get(parent)
    depths.set(spanId, depth)
  }
  return depths
}
