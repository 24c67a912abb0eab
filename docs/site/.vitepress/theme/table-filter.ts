/** A row of a table of facts. */
export interface FactRow {
  /** The text of all cells, in lower case. */
  readonly text: string
  /** Values of the row by facet, such as `{ level: ['MUST'], result: ['passes'] }`. */
  readonly facets: Readonly<Record<string, readonly string[]>>
}

/** What is selected; an empty string selects everything. */
export type Selection = Readonly<Record<string, string>>

/** The key of the text in a selection. The other keys are those of facets. */
export const textKey = 'q'

/** The label of each facet, in the order in which they are shown. */
export const facetLabels: Readonly<Record<string, string>> = { level: 'Level', result: 'Result', failing: 'Fails with' }

/**
 * Returns what the filter needs of a row.
 *
 * @param headers - the texts of the first row of the table
 * @param cells - the texts of the row, in the same order
 */
export function factRow(headers: readonly string[], cells: readonly string[]): FactRow {
  const facets: Record<string, string[]> = {}
  for (const [index, header] of headers.entries()) {
    const cell = cells[index] ?? ''
    if (header === 'level') facets['level'] = [cell.replace(' (dev.)', '')]
    if (header === 'tests' || header === 'result') facets['result'] = [resultOf(cell)]
  }
  // The columns after the fault are loggers.
  if (headers[1] === 'fault' && headers.includes('sluice'))
    facets['failing'] = headers.filter((_, index) => index > 1 && cells[index] !== '✓')
  return { text: cells.join(' ').toLowerCase(), facets }
}

function resultOf(cell: string): string {
  if (/\bDiffers:/.test(cell)) return 'differs'
  if (cell.startsWith('Fails:')) return 'fails'
  return /\bOpen$/.test(cell.trim()) ? 'open' : 'passes'
}

/** Returns whether a row contains all words of the text, and has the selected value of each facet. */
export function isSelected(row: FactRow, selection: Selection): boolean {
  return Object.entries(selection).every(([key, value]) => {
    if (value === '') return true
    if (key !== textKey) return row.facets[key]?.includes(value) === true
    return words(value).every((word) => row.text.includes(word))
  })
}

function words(text: string): string[] {
  return text.toLowerCase().split(/\s+/)
}

/** Returns the values of each facet that has more than one, in the order in which they occur. */
export function facetValues(rows: readonly FactRow[]): ReadonlyMap<string, readonly string[]> {
  const values = Object.keys(facetLabels).map(
    (facet) => [facet, [...new Set(rows.flatMap(({ facets }) => facets[facet] ?? []))]] as const,
  )
  return new Map(values.filter(([, found]) => found.length > 1))
}

/** Returns the selection in the query of an address; only the given facets are read. */
export function selectionOf(query: string, facets: readonly string[]): Selection {
  const parameters = new URLSearchParams(query)
  return Object.fromEntries([textKey, ...facets].map((key) => [key, parameters.get(key) ?? '']))
}

/** Returns the query of an address for a selection, with `?` if it is not empty. */
export function queryOf(selection: Selection): string {
  const query = new URLSearchParams(Object.entries(selection).filter(([, value]) => value !== ''))
  return query.size === 0 ? '' : `?${query}`
}
