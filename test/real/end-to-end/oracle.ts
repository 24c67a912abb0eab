/** What an application is told. */
export interface Application {
  /** Names the run, so that nothing of an earlier one is counted. */
  readonly run: string
  /** Where its Collector takes OTLP/HTTP. */
  readonly url: string
  readonly recordsPerSecond: number
  /** The descriptor that it reports to. */
  readonly pipe: number
}

/** What an application says of itself: its SDK's ledger at one moment. */
export interface LedgerReport {
  readonly pid: number
  readonly emitted: number
  readonly written: number
  readonly queued: number
  readonly unknown: number
  readonly dropped: number
  /** Sent again by the SDK because there was no answer. */
  readonly maybeDuplicated: number
  /** It is the last one, after shutdown. */
  readonly ended: boolean
}

/** What the column store says of one application's records. */
export interface Stored {
  readonly run: string
  readonly pid: number
  readonly rows: number
  /** Rows that differ in `seq`. */
  readonly records: number
  /** The largest `seq`. */
  readonly last: number
  /** Rows whose text is not what was logged, by their hash. */
  readonly wrong: number
}

export interface Verdict {
  /** What must not be: one sentence each. */
  readonly problems: string[]
  readonly records: number
  /** Rows beyond the first of each record: what somebody sent again after an answer that did not arrive. */
  readonly duplicates: number
}

/**
 * Compares what an application's SDK said was taken with what can be found. Records leave in order, and none was dropped, so
 * `written` of them are the first ones.
 */
export function judge(last: LedgerReport, stored: Stored | undefined): Verdict {
  const problems: string[] = []
  const { pid, emitted, written, queued, unknown, dropped, ended } = last
  const { rows, records, last: lastSeq, wrong } = stored ?? { rows: 0, records: 0, last: -1, wrong: 0 }
  if (unknown + dropped > 0)
    problems.push(`${pid}: ${unknown} unknown and ${dropped} dropped, of which nothing was asked`)
  if (emitted !== written + queued)
    problems.push(`${pid}: ${emitted} emitted, but ${written} written, ${queued} queued`)
  if (records !== lastSeq + 1) problems.push(`${pid}: ${lastSeq + 1 - records} are missing before record ${lastSeq}`)
  if (records < written) problems.push(`${pid}: ${written} were written, and ${records} are found`)
  // After its last report a process that is killed may still have sent what waited, and no more.
  if (ended && (queued > 0 || records !== written))
    problems.push(`${pid}: ended with ${queued} queued, ${records} found`)
  if (wrong > 0) problems.push(`${pid}: ${wrong} rows do not hold what was logged`)
  return { problems, records, duplicates: rows - records }
}
