import { problemReporter } from '../delivery/problem-reporter.ts'
import { stderrLine } from '../export/stderr.ts'
import type { OnProblem } from '../record/problems.ts'
import { threw } from '../rules/threw.ts'
import { monotonic } from '../runtime/end-of-turn.ts'

/** What it costs where a stream throws. */
export const notTaken = 'the line was not taken'

/** Tells what goes wrong in a log call, which itself never throws. */
export interface Trouble {
  /** Says that code of a user threw, and what that cost. Returns what stands in its place in the line. */
  threw(what: string, error: unknown, cost?: string): string
  readonly tell: OnProblem
}

/** @param code - of what code of a user throws */
export function troubleTo(onProblem: OnProblem | undefined, code: string): Trouble {
  const tell = problemReporter(onProblem, stderrLine, monotonic)
  return {
    tell,
    threw(what, error, cost = 'the record was logged without it') {
      // Without its words: they may hold what a rule would cover.
      tell({ code, message: `${what} threw: ${cost}` })
      return threw(error)
    },
  }
}
