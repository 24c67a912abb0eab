import { useEffect, useState } from 'preact/hooks'
import type { QueryPath } from '../../read/query/query.ts'
import { addCondition } from './conditions.ts'
import { copyText } from './copy-text.ts'
import { exceptionOf, withoutStack } from './exception.ts'
import { classOf } from './levels.ts'
import { recordText } from './record-text.ts'
import { fetchRecord, problemOf, ServerError } from './server.ts'
import type { FullRecord, Value } from './server-types.ts'
import { shownInBlock, shownInLine } from './shown-text.ts'
import { StackTrace } from './stack-trace.tsx'
import { openTrace, setFilter } from './state.ts'
import { dateText, timeOfDay } from './time-text.ts'
import { ValueTree } from './value-tree.tsx'

interface RecordPartsProps {
  readonly seq: number
  readonly isInTrace?: boolean
  onClose?(): void
}

/** All parts of a record. */
export function RecordParts({ seq, isInTrace = false, onClose }: RecordPartsProps) {
  const [record, setRecord] = useState<FullRecord | { readonly problem: string }>()
  useEffect(() => {
    let isCurrent = true
    fetchRecord(seq).then(
      (found) => isCurrent && setRecord(found),
      (error: unknown) => isCurrent && setRecord({ problem: missingText(error) }),
    )
    return () => (isCurrent = false)
  }, [seq])
  const found = record === undefined || 'problem' in record ? undefined : record
  return (
    <>
      <header>
        {found !== undefined && <RecordTitle record={found} />}
        {onClose !== undefined && (
          <button class="icon" title="Close (Esc)" aria-label="Close the record" onClick={onClose}>
            ×
          </button>
        )}
      </header>
      {record !== undefined && 'problem' in record && <p class="note">{record.problem}</p>}
      {found !== undefined && <Content record={found} isInTrace={isInTrace} />}
    </>
  )
}

/** Returns why a record is not shown. */
function missingText(error: unknown): string {
  return error instanceof ServerError && error.status === 404
    ? 'The record was removed, because newer ones needed its memory.'
    : `The record cannot be shown: ${problemOf(error)}.`
}

function RecordTitle({ record }: { readonly record: FullRecord }) {
  return (
    <>
      <span class={`badge level-${classOf(record.severity)}`}>
        {record.level === '' ? 'no level' : shownInLine(record.level)}
      </span>
      <time title={record.timeNanos === null ? 'time of arrival' : `${record.timeNanos} ns`}>
        {dateText(record.time)} {timeOfDay(record.time)}
      </time>
      <button
        title="Copy as JSON (c)"
        aria-label="Copy the record as JSON"
        onClick={() => void copyText(recordText(record))}
      >
        copy
      </button>
    </>
  )
}

function Content({ record, isInTrace }: { readonly record: FullRecord; readonly isInTrace: boolean }) {
  const { body, attributes, trace, event } = record
  const exception = exceptionOf(attributes)
  return (
    <>
      {event !== null && <p class="event">{shownInLine(event)}</p>}
      {body !== null && (
        <div class="body">
          {typeof body === 'string' ? <pre>{shownInBlock(body)}</pre> : <ValueTree value={body} path={['body']} />}
        </div>
      )}
      {exception !== undefined && <StackTrace {...exception} />}
      {trace !== null && !isInTrace && <TraceLinks traceId={trace} spanId={record.span} />}
      <Section title="Attributes" value={withoutStack(attributes)} path={[]} />
      <Section title="Resource" value={record.resource} path={['resource']} />
      <dl class="tree origin">
        <Origin
          name="scope"
          value={[record.scope, record.scopeVersion].filter(Boolean).join(' ')}
          query={record.scope}
        />
        <Origin name="file" value={record.file} query={record.file} />
        <Origin name="container" value={record.container} query={record.container} />
        <Origin name="stream" value={record.stream} query={record.stream} />
        <Origin name="format" value={record.format} query={record.format} />
      </dl>
    </>
  )
}

function TraceLinks({ traceId, spanId }: { readonly traceId: string; readonly spanId: string | null }) {
  return (
    <div class="trace-links">
      <span>
        trace <code>{traceId}</code>
        {spanId !== null && (
          <>
            {' '}
            span <code>{spanId}</code>
          </>
        )}
      </span>
      <button onClick={() => (openTrace.value = traceId)}>Show the trace</button>
      <button onClick={() => setFilter({ trace: traceId })}>Filter by it</button>
    </div>
  )
}

function Section({ title, value, path }: { readonly title: string; readonly value: Value; readonly path: QueryPath }) {
  if (value === null || typeof value !== 'object' || value.kind !== 'map' || value.entries.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ValueTree value={value} path={path} />
    </section>
  )
}

function Origin(props: { readonly name: string; readonly value: string | null; readonly query: string | null }) {
  const { name, value, query } = props
  if (value === null || value === '' || query === null) return null
  return (
    <div class="entry">
      <dt>{name}</dt>
      <dd>
        <span class="value">{shownInBlock(value)}</span>
        <span class="actions">
          <button
            title="Show only records with this value"
            aria-label={`Filter by ${name}`}
            onClick={() => addCondition([name], '=', query)}
          >
            =
          </button>
        </span>
      </dd>
    </div>
  )
}
