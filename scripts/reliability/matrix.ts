import { readFileSync } from 'node:fs'

/** The path of the fault matrix, relative to the root of the repository. */
export const matrixPath = 'docs/reference/reliability.json'

/** A fault that logging must survive. */
export interface FaultRow {
  /** The row number, which comments above tests contain: `// Fault rows: 38`. */
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
