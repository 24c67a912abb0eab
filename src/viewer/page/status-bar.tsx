import { DatabaseStatus } from './database-status.tsx'
import { connectionProblem, filter, isConnected, queryProblem, setFilter, view } from './state.ts'
import { shownInLine } from './shown-text.ts'
import { countText } from './time-text.ts'

/** How many records there are, and which conditions have no place of their own. */
export function StatusBar() {
  const { rows, stored, removed, duplicates, untested, database } = view.value
  const { trace, template } = filter.value
  return (
    <footer class="status">
      <span class={isConnected.value === true ? 'connected' : 'disconnected'} role="status">
        {connectionText()}
      </span>
      <span>
        {rows === stored ? countText(stored) : `${countText(rows)} of ${countText(stored)}`} records
        {untested > 0 && `, ${countText(untested)} to search`}
      </span>
      {removed > 0 && database === null && <span class="removed">{countText(removed)} older records were removed</span>}
      {duplicates > 0 && (
        <span title="The program sends them by OTLP, and writes them to its output too.">
          {countText(duplicates)} duplicates are shown once
        </span>
      )}
      {database !== null && <DatabaseStatus database={database} />}
      {trace !== '' && (
        <button class="condition" onClick={() => setFilter({ trace: '' })}>
          trace {shownInLine(trace.slice(0, 8))}… ×
        </button>
      )}
      {template !== undefined && (
        <button class="condition" onClick={() => setFilter({ template: undefined })}>
          one template ×
        </button>
      )}
    </footer>
  )
}

function connectionText(): string {
  if (isConnected.value === true) return '● connected'
  if (isConnected.value === false) return `○ ${connectionProblem.value ?? 'the viewer does not answer'}`
  return queryProblem.value === undefined ? '○ connecting…' : '○ the filter cannot be applied'
}
