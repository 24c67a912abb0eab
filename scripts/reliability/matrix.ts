import { readFileSync } from 'node:fs'

/** Where the fault matrix is written, from the root of the repository. */
export const matrixPath = 'docs/reference/reliability.json'

/** A fault that a log has to survive. */
export interface FaultRow {
  /** What titles of tests call it: `(row 38)`. */
  readonly row: number
  /** What goes wrong, as a sentence. */
  readonly fault: string
  /** How tests make it. */
  readonly how: string
  /** Where it cannot be made, why, and what was tried; or what the tests leave out. */
  readonly note?: string
  /** No test holds it yet. */
  readonly open?: true
}

export function readMatrix(): FaultRow[] {
  return JSON.parse(readFileSync(matrixPath, 'utf8')) as FaultRow[]
}

/** The rows that a title names in brackets: `(row 38)`, `(D15, rows 38, 39 and 41)`. */
export function rowsIn(title: string): number[] {
  const brackets = title.match(/\([^()]*\brows? \d[^()]*\)/g) ?? []
  const lists = brackets.flatMap((text) => text.match(/\brows? \d+(?:(?:, | and )\d+)*/g) ?? [])
  return [...new Set(lists.flatMap((list) => (list.match(/\d+/g) ?? []).map(Number)))]
}
