import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { onRejection } from '../../options/observe-promise.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'

/** What it costs where a stream throws. */
export const notTaken = 'the line was not taken'

/** Tells what goes wrong in a log call, which itself never throws. */
export interface HookFailures {
  /** Says that code of a user threw, and what that cost. Returns what stands in its place in the line. */
  threw(what: string, error: unknown, cost?: string): string
  /**
   * Observes what code of a user returned: a promise that rejects is reported as a throw is.
   *
   * @returns whether it is a promise
   */
  observe(what: string, answer: unknown, cost?: string): boolean
  readonly reportDiagnostic: OnDiagnostic
  /** The same, with names of members in messages, and markers of what was thrown, redacted by these patterns. */
  redactedBy(patterns: TextPatterns | undefined): HookFailures
}

/** @param code - of what code of a user throws */
export function hookFailureReporter(onDiagnostic: OnDiagnostic | undefined, code: string): HookFailures {
  return reporting(diagnosticReporter(onDiagnostic, stderrLine, monotonic), code, undefined)
}

function reporting(reportDiagnostic: OnDiagnostic, code: string, patterns: TextPatterns | undefined): HookFailures {
  const report = (what: string, cost = 'the record was logged without it'): void => {
    // Without its words: they may hold what a rule would cover.
    const message = `${what} threw: ${cost}`
    reportDiagnostic({ code, message: patterns === undefined ? message : patterns.redacted(message) })
  }
  return {
    reportDiagnostic,
    redactedBy: (own) => reporting(reportDiagnostic, code, own),
    observe: (what, answer, cost) => onRejection(answer, () => report(what, cost)),
    threw(what, error, cost) {
      report(what, cost)
      const text = thrownMarker(error)
      return patterns === undefined ? text : patterns.redacted(text)
    },
  }
}
