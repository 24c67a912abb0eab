import { factRow, type FactRow } from './table-filter.ts'

/** A table of facts in the page. */
export interface FactTable {
  readonly element: HTMLElement
  readonly rows: readonly { readonly row: FactRow; readonly element: HTMLElement }[]
  /** The rows without a number, which have the sums of the others. */
  readonly sums: readonly HTMLElement[]
}

/** Reads the tables of facts of a page: those whose first column is `row` or `id`. */
export function readTables(page: ParentNode): FactTable[] {
  return [...page.querySelectorAll<HTMLElement>('.vp-doc table')].flatMap((element) => {
    const headers = texts(element.querySelectorAll('thead th'))
    if (!/^(?:row|id)$/.test(headers[0] ?? '')) return []
    const elements = [...element.querySelectorAll<HTMLElement>('tbody tr')]
    const rows = elements
      .filter((row) => !isSum(row))
      .map((row) => ({ row: factRow(headers, texts(row.children)), element: row }))
    return [{ element, rows, sums: elements.filter(isSum) }]
  })
}

function isSum({ firstElementChild: cell }: HTMLElement): boolean {
  return cell?.textContent === ''
}

function texts(cells: Iterable<Element>): string[] {
  return Array.from(cells, ({ textContent }) => textContent.trim())
}

/** Hides the sums of tables with hidden rows, and the whole section of a table without a visible row. */
export function hideSections(tables: readonly FactTable[]): void {
  for (const { element, rows, sums } of tables) {
    for (const sum of sums) sum.hidden = rows.some((row) => row.element.hidden)
    const isEmpty = rows.every((row) => row.element.hidden)
    for (const part of sectionOf(element)) part.hidden = isEmpty
  }
}

/** Returns the parts of the page from the heading before a table to the next heading of the same level. */
function sectionOf(table: HTMLElement): HTMLElement[] {
  const parts = [...table.parentElement!.children].filter((part) => part instanceof HTMLElement)
  const headings = parts.flatMap((part, index) => (part.matches('h2') ? [index] : []))
  const index = parts.indexOf(table)
  return parts.slice(
    headings.findLast((heading) => heading < index),
    headings.find((heading) => heading > index),
  )
}
