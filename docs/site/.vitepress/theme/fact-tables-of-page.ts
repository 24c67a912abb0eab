import { factRow, type FactRow } from './table-filter.ts'

/** A table of facts in the page. */
export interface FactTable {
  readonly element: HTMLElement
  readonly rows: readonly { readonly row: FactRow; readonly element: HTMLElement }[]
}

/** Reads the tables of facts of a page: those whose first column is `row` or `id`. */
export function readTables(page: ParentNode): FactTable[] {
  return [...page.querySelectorAll<HTMLElement>('.vp-doc table')].flatMap((element) => {
    const headers = texts(element.querySelectorAll('thead th'))
    if (!/^(?:row|id)$/.test(headers[0] ?? '')) return []
    // A row without a number has the sums of the others.
    const rows = [...element.querySelectorAll<HTMLElement>('tbody tr')].filter(
      ({ firstElementChild: cell }) => cell?.textContent !== '',
    )
    return [{ element, rows: rows.map((row) => ({ row: factRow(headers, texts(row.children)), element: row })) }]
  })
}

function texts(cells: Iterable<Element>): string[] {
  return Array.from(cells, ({ textContent }) => textContent.trim())
}

/** Hides the tables without a visible row, with the heading and the text before them. */
export function hideSections(tables: readonly FactTable[]): void {
  for (const { element, rows } of tables) {
    const isEmpty = rows.every(({ element }) => element.hidden)
    for (const part of [element, ...partsBefore(element)]) part.hidden = isEmpty
  }
}

/** Returns the heading and the text between it and a table. */
function partsBefore(table: HTMLElement): HTMLElement[] {
  const parts: HTMLElement[] = []
  let part = table.previousElementSibling
  while (part instanceof HTMLElement && !part.matches('table')) {
    parts.push(part)
    if (part.matches('h2')) break
    part = part.previousElementSibling
  }
  return parts
}
