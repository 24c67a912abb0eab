import { readFileSync } from 'node:fs'

/** The path of the fault matrix, relative to the root of the repository. */
export const matrixPath = 'docs/reference/reliability.json'

/** A fault that logging must survive. */
export interface FaultRow {
  /** The row number, which titles of tests contain: `(row 38)`. */
  readonly row: number
  /** The fault, as a sentence. */
  readonly fault: string
  /** How tests cause the fault. */
  readonly how: string
  /** Where the fault cannot be caused, why, and what was tried; or what the tests omit. */
  readonly note?: string
  /** Set when no test proves the row yet. */
  readonly open?: true
}

/** Reads the fault matrix. */
export function readMatrix(): FaultRow[] {
  return JSON.parse(readFileSync(matrixPath, 'utf8')) as FaultRow[]
}

/** Returns the row numbers in the parentheses of a title: `(row 38)`, `(D15, rows 38, 39 and 41)`. */
export function rowsIn(title: string): number[] {
  const parentheses = title.match(/\([^()]*\brows? \d[^()]*\)/g) ?? []
  const lists = parentheses.flatMap((text) => text.match(/\brows? \d+(?:(?:, | and )\d+)*/g) ?? [])
  return [...new Set(lists.flatMap((list) => (list.match(/\d+/g) ?? []).map(Number)))]
}
