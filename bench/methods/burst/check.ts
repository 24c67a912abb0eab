import type { Figures } from '../../figures.ts'
import type { Verdict } from '../../run/check-lines.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Measured } from './measured.ts'

/**
 * The bytes per write that the system counts in addition to the lines: the header of a batch for a writer process, or the eight bytes
 * with which a background thread wakes the event loop.
 */
const extraBytesPerWrite = 16

/**
 * Returns why a run is invalid, or an empty list. `fileVerdict` is the check of the same records of the same subject in a file: a destination
 * that keeps nothing must have received as many bytes.
 */
export function problemsOf(
  { figures, stats }: Pick<Measured, 'figures' | 'stats'>,
  verdict: Verdict | undefined,
  { warmUp, records, enabled = 0, expected }: Lines,
  fileVerdict: Verdict | undefined,
): string[] {
  const problems = verdict === undefined ? [] : [...verdict.problems]
  const count = enabled + (expected === undefined ? 0 : warmUp + records)
  if (stats !== undefined && (stats.lost > 0 || stats.written !== count)) {
    problems.push(`its statistics have ${stats.written} written and ${stats.lost} lost of ${count} records`)
  }
  return [
    ...problems,
    ...problemsOfBytes(figures, records, expected === undefined ? 0 : (verdict ?? fileVerdict)?.bytes),
  ]
}

function problemsOfBytes({ bytes, writes }: Figures, records: number, due: number | undefined): string[] {
  if (due === undefined || bytes === undefined) return []
  const written = Math.round(bytes * records)
  if (written < due) return [`${due - written} of ${due} bytes were not written when the time was measured`]
  if (written > due + extraBytesPerWrite * writes!) return [`${written} bytes were written, but ${due} were expected`]
  return []
}
