/** The options of an application. */
export interface Application {
  /** The name of the run, so that records of earlier runs are not counted. */
  readonly run: string
  /** The OTLP/HTTP URL of its Collector. */
  readonly url: string
  readonly recordsPerSecond: number
  /** The file descriptor to which it reports. */
  readonly pipe: number
}

/** The delivery statistics of an application at one moment. */
export interface StatsReport {
  readonly pid: number
  readonly emitted: number
  readonly written: number
  readonly queued: number
  readonly unknown: number
  readonly dropped: number
  /** Records that the SDK sent again because there was no response. */
  readonly maybeDuplicated: number
  /** Whether this is the last report, after shutdown. */
  readonly ended: boolean
}

/** The records of one application in the column store. */
export interface Stored {
  readonly run: string
  readonly pid: number
  readonly rows: number
  /** The number of distinct `seq` values. */
  readonly records: number
  /** The largest `seq`. */
  readonly last: number
  /** The number of rows whose text does not match their hash. */
  readonly wrong: number
}

export interface Verdict {
  /** One sentence for each violation. */
  readonly problems: string[]
  readonly records: number
  /** The number of duplicate rows, caused by retries after a lost response. */
  readonly duplicates: number
}

/**
 * Compares the delivery statistics of an application with the stored records. Records are sent in order and none is dropped, so the
 * first `written` records must be stored.
 */
export function verifyStored(last: StatsReport, stored: Stored | undefined): Verdict {
  const problems: string[] = []
  const { pid, emitted, written, queued, unknown, dropped, ended } = last
  const { rows, records, last: lastSeq, wrong } = stored ?? { rows: 0, records: 0, last: -1, wrong: 0 }
  if (unknown + dropped > 0)
    problems.push(`${pid}: ${unknown} unknown and ${dropped} dropped, although none was requested`)
  if (emitted !== written + queued)
    problems.push(`${pid}: ${emitted} emitted, but ${written} written, ${queued} queued`)
  if (records !== lastSeq + 1) problems.push(`${pid}: ${lastSeq + 1 - records} are missing before record ${lastSeq}`)
  if (records < written) problems.push(`${pid}: ${written} were written, and ${records} are found`)
  // A killed process can have sent its queued records after its last report, but no more.
  if (ended && (queued > 0 || records !== written))
    problems.push(`${pid}: ended with ${queued} queued, ${records} found`)
  if (wrong > 0) problems.push(`${pid}: ${wrong} rows do not hold what was logged`)
  return { problems, records, duplicates: rows - records }
}
