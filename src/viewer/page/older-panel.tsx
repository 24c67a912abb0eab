import { useEffect, useState } from 'preact/hooks'
import { fetchOlder, parametersOf } from './server.ts'
import type { OlderRows, Row } from './server-types.ts'
import { RowText } from './row-line.tsx'
import { shownInLine } from './shown-text.ts'
import { filter, select, selected, view } from './state.ts'
import { countText, dateText, timeOfDay } from './time-text.ts'

/** The records that are found before the search stops. */
const stepRows = 100

/** What a search has found so far. */
interface Search {
  readonly rows: readonly Row[]
  readonly last: OlderRows | undefined
  readonly isRunning: boolean
  readonly hasFailed: boolean
}

const noSearch: Search = { rows: [], last: undefined, isRunning: true, hasFailed: false }

/** The records that are only in the database, the newest first, which the server searches for the current filter. */
export function OlderPanel() {
  const [search, setSearch] = useState(noSearch)
  const [wanted, setWanted] = useState(stepRows)
  const parameters = parametersOf({ ...filter.value, template: undefined }).toString()
  const hasDatabase = view.value.database !== null
  useEffect(() => {
    setSearch(noSearch)
    setWanted(stepRows)
  }, [parameters])
  useEffect(() => {
    if (!hasDatabase || search.last?.next === null || search.rows.length >= wanted) return undefined
    const abort = new AbortController()
    void searchFurther(search, new URLSearchParams(parameters), abort.signal).then(setSearch, () => {
      if (!abort.signal.aborted) setSearch({ ...search, isRunning: false, hasFailed: true })
    })
    return () => abort.abort()
  }, [parameters, search, wanted, hasDatabase])
  return (
    <div class="templates">
      <table>
        <caption>{statusOf(search, hasDatabase)}</caption>
        <tbody>
          {search.rows.map((row) => (
            <tr key={row.seq} aria-selected={selected.value === row.seq}>
              <td>
                {dateText(row.time)} {timeOfDay(row.time)}
              </td>
              <td>{shownInLine(row.level)}</td>
              <td>{shownInLine(row.service)}</td>
              <td>
                <button class="link" onClick={() => select(row, -1)}>
                  <RowText row={row} />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {search.last !== undefined && search.last.next !== null && search.rows.length >= wanted && (
        <button class="further" onClick={() => setWanted(search.rows.length + stepRows)}>
          Search further
        </button>
      )}
    </div>
  )
}

async function searchFurther(
  { rows, last }: Search,
  parameters: URLSearchParams,
  signal: AbortSignal,
): Promise<Search> {
  if (last !== undefined) parameters.set('before', String(last.next))
  parameters.set('count', String(stepRows))
  const found = await fetchOlder(parameters, signal)
  return { rows: [...rows, ...found.rows], last: found, isRunning: found.next !== null, hasFailed: false }
}

function statusOf({ rows, last, hasFailed }: Search, hasDatabase: boolean): string {
  if (!hasDatabase) return 'There are no older records: start sluice ui with --db FILE.'
  if (hasFailed) return 'The search failed. Change the conditions to search again.'
  const found = `${countText(rows.length)} older records found`
  if (last === undefined) return 'Searching…'
  return last.next === null ? found : `${found}, ${countText(last.next - last.first)} still to search`
}
