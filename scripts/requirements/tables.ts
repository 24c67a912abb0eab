import { readFileSync } from 'node:fs'
import type { Annotation } from '../annotations/annotations.ts'

/** The path of the tables, relative to the root of the repository. */
export const tablesPath = 'docs/reference/opentelemetry.json'

/** The levels of a requirement. `practice` is a fact that no specification requires, but that a test proves. */
export const levels = ['MUST', 'SHOULD', 'MAY', 'practice'] as const

/** A requirement of a specification, or a defect of another SDK. */
export interface Row {
  /** The id that comments above tests contain: `// Requirements: OTL9, D11`. */
  readonly id: string
  readonly level?: (typeof levels)[number]
  /** Set when the status of the requirement in its specification is Development. */
  readonly development?: true
  /** The requirement or the defect, in our own words. */
  readonly text: string
  /** Where this package differs from the requirement, and why. */
  readonly deviation?: string
  /** Set when no test proves the requirement yet. `npm run requirements` removes it when there is one. */
  readonly open?: true
}

/** The rows of one subject. */
export interface Table {
  readonly heading: string
  /** The text between the heading and the table. */
  readonly about?: string
  readonly rows: readonly Row[]
}

/** The annotations that name a requirement, by its id. */
export type ProofsById = ReadonlyMap<string, readonly Annotation[]>

/** Reads the tables, in the order of the page. */
export function readTables(): Table[] {
  return JSON.parse(readFileSync(tablesPath, 'utf8')) as Table[]
}

/** Groups the annotations by the requirements that they name. */
export function proofsOf(annotations: readonly Annotation[]): ProofsById {
  const proofs = new Map<string, Annotation[]>()
  for (const annotation of annotations) {
    for (const id of annotation.requirements) proofs.set(id, [...(proofs.get(id) ?? []), annotation])
  }
  return proofs
}

/** Returns the tables without `open` in rows that have a test. */
export function closeProven(tables: readonly Table[], annotations: readonly Annotation[]): Table[] {
  const proofs = proofsOf(annotations)
  const closed = ({ open, ...row }: Row): Row => (open === undefined || proofs.has(row.id) ? row : { ...row, open })
  return tables.map((table) => ({ ...table, rows: table.rows.map(closed) }))
}

/** Returns the errors in the tables and in the annotations, one sentence each. */
export function faultsOf(tables: readonly Table[], annotations: readonly Annotation[]): string[] {
  const rows = tables.flatMap((table) => table.rows)
  const ids = rows.map(({ id }) => id)
  const proofs = proofsOf(annotations)
  const unknown = [...proofs].filter(([id]) => !ids.includes(id))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is in the tables more than once`),
    ...rows.flatMap((row) => rowFaults(row, proofs.has(row.id))),
    ...unknown.map(([id, [proof]]) => `${proof!.path} names ${id}, which is in no table: ${proof!.title}`),
  ]
}

function rowFaults({ id, level, text, deviation, open }: Row, isProven: boolean): string[] {
  const faults: [boolean, string][] = [
    [level !== undefined && !levels.includes(level), `has the unknown level ${level}`],
    [text === '' || deviation === '', 'has an empty text or deviation'],
    [open === true && isProven, 'is open, but has a test: run `npm run requirements`'],
    [open === true && deviation !== undefined, 'is open, but has a deviation: remove one of them'],
    [
      open !== true && !isProven && deviation === undefined,
      `has no test and no deviation: add "// Requirements: ${id}" above the test that proves it`,
    ],
  ]
  return faults.filter(([isFault]) => isFault).map(([, fault]) => `${id} ${fault}`)
}
