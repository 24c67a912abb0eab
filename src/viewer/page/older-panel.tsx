import { useEffect, useState } from 'preact/hooks'
import { classOf } from './levels.ts'
import { fetchOlder, parametersOf, problemOf } from './server.ts'
import type { OlderRows, Row } from './server-types.ts'
import { newestFirst } from './row-order.ts'
import { RowText } from './row-line.tsx'
import { shownInLine } from './shown-text.ts'
import { filter, select, selected, view, viewerId } from './state.ts'
import { countText, dateText, timeOfDay } from './time-text.ts'

/** The records that are found before the search stops. */
const stepRows = 100

/** What a search has found so far. */
interface Search {
  readonly rows: readonly Row[]
  readonly last: OlderRows | undefined
  /** Why the search stopped. */
  readonly problem: string | undefined
}

const noSearch: Search = { rows: [], last: undefined, problem: undefined }

/** The records that are only in the database, the newest first, which the server searches for the current filter. */
export function OlderPanel() {
  if (view.value.database === null)
    return <p class="note">There are no older records: start sluice ui with --db FILE.</p>
  const parameters = parametersOf({ ...filter.value, template: undefined }).toString()
  // Another run of the viewer can have another database.
  return <OlderSearch parameters={parameters} key={`${viewerId.value} ${parameters}`} />
}

function OlderSearch({ parameters }: { readonly parameters: string }) {
  const [search, setSearch] = useState(noSearch)
  const [wanted, setWanted] = useState(stepRows)
  const isComplete = search.last?.next === null
  useEffect(() => {
    // A failed search is not repeated until the user wants it.
    if (isComplete || search.problem !== undefined || search.rows.length >= wanted) return undefined
    const abort = new AbortController()
    searchFurther(search, new URLSearchParams(parameters), abort.signal).then(setSearch, (error: unknown) => {
      if (!abort.signal.aborted) setSearch({ ...search, problem: problemOf(error) })
    })
    return () => abort.abort()
  }, [search, wanted])
  return (
    <div class="templates">
      <table>
        <caption>{statusOf(search)}</caption>
        <colgroup>
          <col class="date-column" />
          <col class="level-column" />
          <col class="service-column" />
          <col />
        </colgroup>
        <tbody>
          {search.rows.map((row) => (
            <tr key={row.seq} aria-selected={selected.value === row.seq}>
              <td>
                {dateText(row.time)} {timeOfDay(row.time)}
              </td>
              <td class={`level level-${classOf(row.severity)}`}>{row.level === '' ? '–' : shownInLine(row.level)}</td>
              <td class="extra">{shownInLine(row.service)}</td>
              <td>
                <button class="link" onClick={() => select(row, -1)}>
                  <RowText row={row} />
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {search.problem !== undefined && (
        <button class="further" onClick={() => setSearch({ ...search, problem: undefined })}>
          Search again
        </button>
      )}
      {search.last !== undefined && !isComplete && search.problem === undefined && search.rows.length >= wanted && (
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
  return { rows: newestFirst([...rows, ...found.rows]), last: found, problem: undefined }
}

function statusOf({ rows, last, problem }: Search): string {
  if (problem !== undefined) return `The search failed: ${problem}`
  if (last === undefined) return 'Searching…'
  const found = `${countText(rows.length)} older ${rows.length === 1 ? 'record' : 'records'} found`
  return last.next === null ? found : `${found}, ${countText(last.next - last.first)} still to search`
}
