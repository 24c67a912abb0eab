import { recordIn } from './records.ts'

/** What is known of a process that was killed. */
export interface Killed {
  readonly run: string
  readonly pid: number
  /** Records that `flush()` has said are written. */
  readonly confirmed: number
}

/**
 * Judges what a killed process has left in a file, line by line: its records from the first one on without a gap, those
 * that were confirmed among them, and behind them at most one torn line. `before`: the end of what was there when it began.
 */
export function wrongAfterKill(before: string, added: string, { run, pid, confirmed }: Killed): string[] {
  const tornBefore = before !== '' && !before.endsWith('\n')
  if (tornBefore && added !== '' && !added.startsWith('\n')) return [`${pid}: it went on in a torn line`]
  const lines = (tornBefore ? added.slice(1) : added).split('\n')
  // What stands behind the last newline: nothing, or a torn line.
  const whole = lines.slice(0, -1)
  const strange = whole.findIndex((line, index) => {
    const record = recordIn(parsed(line))
    return record?.run !== run || record.pid !== pid || record.seq !== index
  })
  return [
    ...(strange < 0 ? [] : [`${pid}: line ${strange} is not record ${strange}: ${whole[strange]!.slice(0, 200)}`]),
    ...(whole.length >= confirmed ? [] : [`${pid}: ${whole.length} are there of ${confirmed} that were confirmed`]),
  ]
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
