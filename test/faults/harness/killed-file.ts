import { recordIn } from './records.ts'

/** A process that was killed. */
export interface KilledProcess {
  readonly run: string
  readonly pid: number
  /** The number of records that `flush()` confirmed as written. */
  readonly confirmed: number
}

/**
 * Checks the lines that a killed process added to a file: its records from the first one without a gap, including all confirmed
 * ones, and at most one torn line at the end.
 * @param before - the end of the file when the process started
 */
export function checkFileAfterKill(before: string, added: string, { run, pid, confirmed }: KilledProcess): string[] {
  const tornBefore = before !== '' && !before.endsWith('\n')
  if (tornBefore && added !== '' && !added.startsWith('\n')) return [`${pid}: it continued a torn line`]
  const lines = (tornBefore ? added.slice(1) : added).split('\n')
  // The last part is empty or a torn line.
  const whole = lines.slice(0, -1)
  const unexpected = whole.findIndex((line, index) => {
    const record = recordIn(parsed(line))
    return record?.run !== run || record.pid !== pid || record.seq !== index
  })
  return [
    ...(unexpected < 0
      ? []
      : [`${pid}: line ${unexpected} is not record ${unexpected}: ${whole[unexpected]!.slice(0, 200)}`]),
    ...(whole.length >= confirmed ? [] : [`${pid}: ${whole.length} of ${confirmed} confirmed records found`]),
  ]
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
