import { useEffect, useState } from 'preact/hooks'
import type { QueryPath } from '../../read/query/query.ts'
import { addCondition } from './conditions.ts'
import { copyText } from './copy-text.ts'
import { classOf } from './levels.ts'
import { fetchRecord } from './server.ts'
import type { FullRecord, Value } from './server-types.ts'
import { StackTrace } from './stack-trace.tsx'
import { openTrace, select, selected, setFilter } from './state.ts'
import { dateText, timeOfDay } from './time-text.ts'
import { plainText, ValueTree } from './value-tree.tsx'

/** All parts of the selected record. */
export function Detail() {
  const [record, setRecord] = useState<FullRecord>()
  const seq = selected.value
  useEffect(() => {
    if (seq === undefined) return undefined
    let isCurrent = true
    fetchRecord(seq).then(
      (found) => isCurrent && setRecord(found),
      () => isCurrent && setRecord(undefined),
    )
    return () => (isCurrent = false)
  }, [seq])
  if (seq === undefined) return null
  if (record === undefined || record.seq !== seq) return <aside class="detail" aria-label="Record" />
  const exception = exceptionOf(record.attributes)
  return (
    <aside class="detail" aria-label="Record">
      <header>
        <span class={`badge ${classOf(record.severity)}`}>{record.level === '' ? 'no level' : record.level}</span>
        <time title={record.timeNanos === null ? 'time of arrival' : `${record.timeNanos} ns`}>
          {dateText(record.time)} {timeOfDay(record.time)}
        </time>
        <button
          class="icon"
          title="Copy as JSON"
          aria-label="Copy the record as JSON"
          onClick={() => void copyText(recordText(record))}
        >
          copy
        </button>
        <button class="icon" title="Close (Esc)" aria-label="Close the record" onClick={() => select(undefined, -1)}>
          ×
        </button>
      </header>
      {record.event !== null && <p class="event">{record.event}</p>}
      {record.body !== null && (
        <div class="body">
          {typeof record.body === 'string' ? (
            <pre>{record.body}</pre>
          ) : (
            <ValueTree value={record.body} path={['body']} />
          )}
        </div>
      )}
      {exception !== undefined && <StackTrace {...exception} />}
      {record.trace !== null && <TraceLinks traceId={record.trace} spanId={record.span} />}
      <Section title="Attributes" value={withoutStack(record.attributes)} path={[]} />
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
    </aside>
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
    <section>
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
        <span class="value">{value}</span>
        <span class="actions">
          <button aria-label={`Filter by ${name}`} onClick={() => addCondition([name], '=', query)}>
            =
          </button>
        </span>
      </dd>
    </div>
  )
}

function exceptionOf(attributes: Value): { type: string; message: string; stack: string } | undefined {
  if (attributes === null || typeof attributes !== 'object' || attributes.kind !== 'map') return undefined
  const text = (name: string): string => {
    const value = attributes.entries.find(([key]) => key === `exception.${name}`)?.[1]
    return typeof value === 'string' ? value : ''
  }
  const exception = { type: text('type'), message: text('message'), stack: text('stacktrace') }
  return exception.type + exception.message + exception.stack === '' ? undefined : exception
}

function withoutStack(attributes: Value): Value {
  if (attributes === null || typeof attributes !== 'object' || attributes.kind !== 'map') return attributes
  return { ...attributes, entries: attributes.entries.filter(([key]) => key !== 'exception.stacktrace') }
}

function parsed(value: Value): unknown {
  return value === null || typeof value === 'string' ? value : (JSON.parse(plainText(value)) as unknown)
}

function recordText(record: FullRecord): string {
  const { seq: _, attributes, resource, body, ...rest } = record
  const all = { ...rest, body: parsed(body), attributes: parsed(attributes), resource: parsed(resource) }
  return JSON.stringify(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)), null, 2)
}
