import type { Job } from '../run/job.ts'
import type { Run } from '../run/run.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { Verdict } from './lines.ts'

/** A background thread tells the loop of each write by eight bytes of its own, which the system counts as well. */
const bytesOfAWakeUp = 8

/**
 * Why a run does not count; empty when it does. `proof` is what the same subject wrote of the same records to a file,
 * line by line: a destination that keeps nothing must have been given as many bytes.
 */
export function problemsOfRun(
  { measured, verdict }: Run,
  job: Job,
  scenario: Scenario,
  proof: Verdict | undefined,
): string[] {
  const problems = verdict === undefined ? [] : [...verdict.problems]
  const { ledger, bytes, writes } = measured
  const records = scenario.expected === undefined ? 0 : scenario.warmUp + job.records
  if (ledger !== undefined && (ledger.lost > 0 || ledger.written !== records)) {
    problems.push(`its ledger says ${ledger.written} written, ${ledger.lost} lost, of ${records}`)
  }
  const due = scenario.expected === undefined ? 0 : (verdict ?? proof)?.bytes
  if (due === undefined || bytes === undefined) return problems
  if (bytes < due) problems.push(`${due - bytes} bytes of ${due} were not written when the clock stopped`)
  if (bytes > due + bytesOfAWakeUp * writes!) problems.push(`${bytes} bytes were written where ${due} were due`)
  return problems
}
