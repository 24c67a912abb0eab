import { useState } from 'preact/hooks'
import { ModalDialog } from './modal-dialog.tsx'
import { fetchTrace, problemOf } from './server.ts'
import type { Trace } from './server-types.ts'
import { SpanList } from './span-list.tsx'
import { openTrace, setFilter, view, viewId } from './state.ts'
import { countText, durationText } from './time-text.ts'
import { TraceRow } from './trace-row.tsx'
import { useThrottled } from './use-throttled.ts'

/** A pause between two records is shown if it is at least this part of the trace. */
const gapFraction = 0.1
/** The time between two requests while records arrive, in ms. */
const refreshMillis = 1_000

/** All records of a trace in the order of their time, with the gaps between them and the spans. */
export function TraceView() {
  const id = openTrace.value
  return id === undefined ? null : <TraceDialog id={id} key={id} />
}

function TraceDialog({ id }: { readonly id: string }) {
  const [trace, setTrace] = useState<Trace>()
  const [problem, setProblem] = useState<string>()
  const { stored, removed, spans } = view.value
  useThrottled(
    () => {
      // The dialog of another trace is another component.
      fetchTrace(id).then(setTrace, (error: unknown) => setProblem(problemOf(error)))
    },
    refreshMillis,
    [viewId.value, stored, removed, spans],
  )
  return (
    <ModalDialog class="trace" label={`Trace ${id}`} onClose={close}>
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
      {problem !== undefined && trace === undefined && <p class="note">The trace cannot be shown: {problem}.</p>}
      {trace !== undefined && <TraceContent trace={trace} />}
    </ModalDialog>
  )
}

function close(): void {
  openTrace.value = undefined
}

function TraceContent({ trace: { rows, spans, total } }: { readonly trace: Trace }) {
  const [openRow, setOpenRow] = useState<number>()
  if (rows.length + spans.length === 0) return <p class="note">There are no records and spans of this trace.</p>
  const names = new Map(spans.map((span) => [span.spanId, span.name]))
  const start = Math.min(...rows.map(({ time }) => time), ...spans.map((span) => span.start))
  const end = Math.max(...rows.map(({ time }) => time), ...spans.map((span) => span.end))
  return (
    <>
      <p class="note">
        {countText(total)} {total === 1 ? 'record' : 'records'}, {countText(spans.length)}{' '}
        {spans.length === 1 ? 'span' : 'spans'}, {durationText(end - start)}
        {total > rows.length && `; the first ${countText(rows.length)} are shown`}
      </p>
      <SpanList spans={spans} start={start} end={end} />
      <ol class="trace-rows">
        {rows.map((row, at) => (
          <TraceRow
            row={row}
            start={start}
            minGap={(end - start) * gapFraction}
            previous={rows[at - 1]}
            spanName={names.get(row.span)}
            isOpen={row.seq === openRow}
            onToggle={() => setOpenRow(row.seq === openRow ? undefined : row.seq)}
            key={row.seq}
          />
        ))}
      </ol>
    </>
  )
}
