import { readFileSync } from 'node:fs'
import type { Claim } from './claims.ts'
import { idsIn } from './ids.ts'

/** Where the tables are written, from the root of the repository. */
export const tablesPath = 'docs/reference/opentelemetry.json'

/** How much a specification insists; `practice` is a fact that it leaves to be found, and a test holds all the same. */
export const levels = ['MUST', 'SHOULD', 'MAY', 'practice'] as const

/** Something that is asked, or that another SDK gets wrong. */
export interface Row {
  /** What titles of tests call it: `OTL9`, `D11`. */
  readonly id: string
  readonly level?: (typeof levels)[number]
  /** Whether the specification may still change it: its status there is Development. */
  readonly development?: true
  /** What it is, in our own words. */
  readonly text: string
  /** Where this package does something else, or does without, and why. */
  readonly deviation?: string
  /** Nothing holds it yet. The list of these only gets shorter: with a test, `npm run requirements` takes the word away. */
  readonly open?: true
}

/** The rows of one subject. */
export interface Table {
  readonly heading: string
  /** What stands between the heading and the table. */
  readonly about?: string
  readonly rows: readonly Row[]
}

/** The tables of the page, in its order. */
export function readTables(): Table[] {
  return JSON.parse(readFileSync(tablesPath, 'utf8')) as Table[]
}

/** The claims that name an id, for each id that is named. */
export function proofsOf(tables: readonly Table[], claims: readonly Claim[]): Map<string, Claim[]> {
  const proofs = new Map<string, Claim[]>()
  const series = seriesOf(tables)
  for (const claim of claims) {
    for (const id of idsIn(claim.title, series)) proofs.set(id, [...(proofs.get(id) ?? []), claim])
  }
  return proofs
}

/** The tables without the word `open` where there is a test by now. */
export function closeProven(tables: readonly Table[], claims: readonly Claim[]): Table[] {
  const proofs = proofsOf(tables, claims)
  const closed = ({ open, ...row }: Row): Row => (open === undefined || proofs.has(row.id) ? row : { ...row, open })
  return tables.map((table) => ({ ...table, rows: table.rows.map(closed) }))
}

/** What is wrong with the tables and the titles, one sentence each. */
export function faultsOf(tables: readonly Table[], claims: readonly Claim[]): string[] {
  const rows = tables.flatMap((table) => table.rows)
  const ids = rows.map(({ id }) => id)
  const proofs = proofsOf(tables, claims)
  const unknown = [...proofs].filter(([id]) => !ids.includes(id))
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} stands in the tables twice`),
    ...rows.flatMap((row) => rowFaults(row, proofs.has(row.id))),
    ...unknown.map(([id, [claim]]) => `${claim!.path} names ${id}, which no table has: ${claim!.title}`),
  ]
}

function rowFaults({ id, level, text, deviation, open }: Row, proven: boolean): string[] {
  const faults: [boolean, string][] = [
    [level !== undefined && !levels.includes(level), `has the level ${level}, which is none`],
    [text === '' || deviation === '', 'says nothing'],
    [open === true && proven, 'is open and has a test: run `npm run requirements`'],
    [open === true && deviation !== undefined, 'is open and argued away'],
    [
      open !== true && !proven && deviation === undefined,
      'has no test, and no deviation is argued: the title of the test that proves it names it',
    ],
  ]
  return faults.filter(([is]) => is).map(([, what]) => `${id} ${what}`)
}

/** `OTL` of `OTL9`. */
function seriesOf(tables: readonly Table[]): string[] {
  const letters = tables.flatMap(({ rows }) => rows.map(({ id }) => /^[A-Z]+(?=\d)/.exec(id)?.[0] ?? ''))
  return [...new Set(letters)].filter((text) => text !== '')
}
