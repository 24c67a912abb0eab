import { useEffect, useState } from 'preact/hooks'
import { classOf } from './levels.ts'
import { fetchTrace } from './server.ts'
import type { Row, Span, Trace } from './server-types.ts'
import { openTrace, select, setFilter, view } from './state.ts'
import { durationText, timeOfDay } from './time-text.ts'

/** A pause between two records is shown if it is at least this part of the trace. */
const gapFraction = 0.05

/** All records of a trace in the order of their time, with the gaps between them and the spans. */
export function TraceView() {
  const [trace, setTrace] = useState<Trace>()
  const id = openTrace.value
  const { stored, spans: spansVersion } = view.value
  useEffect(() => {
    if (id === undefined) return undefined
    let isCurrent = true
    const timer = setTimeout(
      () => {
        fetchTrace(id).then(
          (found) => isCurrent && setTrace(found),
          () => undefined,
        )
      },
      trace === undefined ? 0 : 500,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [id, stored, spansVersion])
  if (id === undefined) return null
  const close = (): void => {
    openTrace.value = undefined
    setTrace(undefined)
  }
  return (
    <div class="dialog-back" onClick={(event) => event.target === event.currentTarget && close()}>
      <div class="trace" role="dialog" aria-modal="true" aria-label={`Trace ${id}`}>
        <header>
          <h1>
            Trace <code>{id}</code>
          </h1>
          <button
            onClick={() => {
              close()
              setFilter({ trace: id })
            }}
          >
            Filter by it
          </button>
          <button class="icon" aria-label="Close the trace" title="Close (Esc)" onClick={close}>
            ×
          </button>
        </header>
        {trace !== undefined && <TraceContent trace={trace} />}
      </div>
    </div>
  )
}

function TraceContent({ trace: { rows, spans, total } }: { readonly trace: Trace }) {
  const names = new Map(spans.map((span) => [span.spanId, span.name]))
  const start = Math.min(...rows.map(({ time }) => time), ...spans.map((span) => span.start))
  const end = Math.max(...rows.map(({ time }) => time), ...spans.map((span) => span.end))
  return (
    <>
      <p class="note">
        {total} records, {spans.length} spans, {durationText(Math.max(0, end - start))}
        {total > rows.length && `; the first ${rows.length} are shown`}
      </p>
      <Spans spans={spans} start={start} end={end} />
      <ol class="trace-rows">
        {rows.map((row, at) => (
          <TraceRow
            row={row}
            start={start}
            minGap={(end - start) * gapFraction}
            previous={rows[at - 1]}
            spanName={names.get(row.span)}
            key={row.seq}
          />
        ))}
      </ol>
    </>
  )
}

function Spans({
  spans,
  start,
  end,
}: {
  readonly spans: readonly Span[]
  readonly start: number
  readonly end: number
}) {
  const width = Math.max(0.001, end - start)
  const depths = depthsOf(spans)
  return (
    <ol class="spans">
      {spans.slice(0, 200).map((span) => (
        <li key={span.spanId} class={span.hasError ? 'failed' : ''}>
          <span class="span-name" style={{ paddingLeft: `${(depths.get(span.spanId) ?? 0) * 12}px` }} title={span.name}>
            {span.name} <i>{span.service}</i>
          </span>
          <span class="span-bar">
            <span
              style={{
                left: `${((span.start - start) / width) * 100}%`,
                width: `${Math.max(0.3, ((span.end - span.start) / width) * 100)}%`,
              }}
            />
          </span>
          <span class="span-time">{durationText(span.end - span.start)}</span>
        </li>
      ))}
    </ol>
  )
}

interface TraceRowProps {
  readonly row: Row
  readonly start: number
  readonly minGap: number
  readonly previous: Row | undefined
  readonly spanName: string | undefined
}

function TraceRow({ row, start, minGap, previous, spanName }: TraceRowProps) {
  const gap = previous === undefined ? 0 : row.time - previous.time
  return (
    <>
      {gap > 0 && gap >= minGap && (
        <li class="gap" role="presentation">
          {durationText(gap)}
        </li>
      )}
      <li class={`row ${classOf(row.severity)}`}>
        <button class="link" onClick={() => select(row, -1)} title={timeOfDay(row.time)}>
          +{durationText(row.time - start)}
        </button>
        <span class="level">{row.level}</span>
        <span class="service">{row.service}</span>
        <span class="message">
          {spanName !== undefined && <span class="scope">{spanName} </span>}
          {row.message}
          {row.attributes.map(([name, value]) => (
            <span class="attribute" key={name}>
              {' '}
              {name}=<i>{value}</i>
            </span>
          ))}
        </span>
      </li>
    </>
  )
}

/** Returns how deep each span is. A parent that is not known, or that is its own ancestor, is none. */
function depthsOf(spans: readonly Span[]): Map<string, number> {
  const parents = new Map(spans.map((span) => [span.spanId, span.parentSpanId]))
  const depths = new Map<string, number>()
  for (const { spanId } of spans) {
    let depth = 0
    for (let parent = parents.get(spanId); parent !== undefined && parents.has(parent) && depth < 20; depth++)
      parent = parents.get(parent)
    depths.set(spanId, depth)
  }
  return depths
}
