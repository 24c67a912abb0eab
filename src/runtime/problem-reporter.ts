import type { OnProblem, Problem } from '../record/problems.ts'
import { monotonic } from './end-of-turn.ts'

const minute = 60_000
/** Told at most once by each pipeline and end anyway; the count of one says nothing of the others. */
const final: ReadonlySet<string> = new Set(['SLUICE_RECORDS_LOST', 'SLUICE_RECORDS_PENDING'])

/**
 * Tells trouble: to `onProblem`, else as a line to stderr, at most once a minute for each code. What happened meanwhile is
 * counted, and the next line says how often. `writeLine` must not block.
 */
export function problemReporter(onProblem: OnProblem | undefined, writeLine: (line: string) => void): OnProblem {
  const last = new Map<string, { time: number; untold: number }>()
  let telling = false
  return (problem: Problem) => {
    const seen = last.get(problem.code)
    const now = monotonic()
    // A handler that logs into the trouble it is told of must not be told again.
    if (telling || (seen !== undefined && now - seen.time < minute && !final.has(problem.code))) {
      if (seen !== undefined) seen.untold++
      return
    }
    last.set(problem.code, { time: now, untold: 0 })
    telling = true
    try {
      if (onProblem !== undefined) onProblem(problem)
      else writeLine(`sluice: ${problem.code}: ${oneLine(problem.message)}${repeated(seen?.untold ?? 0)}\n`)
    } catch {
      // neither the user's function nor a closed stderr may harm the log call
    } finally {
      telling = false
    }
  }
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}

function repeated(times: number): string {
  return times === 0 ? '' : ` (and ${times} times more since it was last told)`
}
