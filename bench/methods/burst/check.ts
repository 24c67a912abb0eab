import type { Figures } from '../../figures.ts'
import type { Verdict } from '../../run/check-lines.ts'
import type { Lines } from '../../scenarios/lines.ts'
import type { Measured } from './measured.ts'

/**
 * What the system counts beside the lines, a write: the head of a batch for a writer process; of a background thread the eight
 * bytes by which it tells the loop.
 */
const mostBeside = 16

/**
 * Why a run does not count; empty when it does. `proof` is what the same subject wrote of the same records to a file,
 * line by line: a destination that keeps nothing must have been given as many bytes.
 */
export function problemsOf(
  { figures, stats }: Pick<Measured, 'figures' | 'stats'>,
  verdict: Verdict | undefined,
  { warmUp, records, enabled = 0, expected }: Lines,
  proof: Verdict | undefined,
): string[] {
  const problems = verdict === undefined ? [] : [...verdict.problems]
  const count = enabled + (expected === undefined ? 0 : warmUp + records)
  if (stats !== undefined && (stats.lost > 0 || stats.written !== count)) {
    problems.push(`its statistics have ${stats.written} written, ${stats.lost} lost, of ${count}`)
  }
  return [...problems, ...problemsOfBytes(figures, records, expected === undefined ? 0 : (verdict ?? proof)?.bytes)]
}

function problemsOfBytes({ bytes, writes }: Figures, records: number, due: number | undefined): string[] {
  if (due === undefined || bytes === undefined) return []
  const written = Math.round(bytes * records)
  if (written < due) return [`${due - written} bytes of ${due} were not written when the clock stopped`]
  if (written > due + mostBeside * writes!) return [`${written} bytes were written where ${due} were due`]
  return []
}
