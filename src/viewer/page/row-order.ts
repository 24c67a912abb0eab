import type { Row } from './server-types.ts'

/** Returns rows by time, the newest first. A database has them in the order in which requests arrived, which differs between services. */
export function newestFirst(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => b.time - a.time)
}
