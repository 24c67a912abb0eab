import { problemReporter } from '../delivery/problem-reporter.ts'
import { stderrLine } from '../export/stderr.ts'
import type { OnProblem } from '../record/problems.ts'
import { threw } from '../rules/threw.ts'
import { monotonic } from '../runtime/end-of-turn.ts'

/** Tells what goes wrong in a log call, which itself never throws. */
export interface Trouble {
  /** Says that code of a user threw. Returns what stands in its place in the line. */
  threw(what: string, error: unknown): string
  readonly tell: OnProblem
}

/** @param code - of what code of a user throws */
export function troubleTo(onProblem: OnProblem | undefined, code: string): Trouble {
  const tell = problemReporter(onProblem, stderrLine, monotonic)
  return {
    tell,
    threw(what, error) {
      // Without its words: they may hold what a rule would cover.
      tell({ code, message: `${what} threw: the record was logged without it` })
      return threw(error)
    },
  }
}
