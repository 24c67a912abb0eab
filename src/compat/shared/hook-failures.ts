import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { onRejection } from '../../options/observe-promise.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'

/** The consequence that is reported when a stream throws. */
export const lineNotWritten = 'the line was not written'

/** Reports failures of user code during log calls, which themselves never throw. */
export interface HookFailures {
  /** Reports that user code threw, and the consequence. Returns the marker that replaces its result in the line. */
  threw(what: string, error: unknown, cost?: string): string
  /**
   * Observes the return value of user code: the rejection of a promise is reported like a throw.
   *
   * @returns whether it is a promise
   */
  observe(what: string, answer: unknown, cost?: string): boolean
  readonly reportDiagnostic: OnDiagnostic
  /** Returns a reporter that redacts member names in messages, and thrown markers, with these patterns. */
  redactedBy(patterns: TextPatterns | undefined): HookFailures
}

/** @param code - the diagnostic code for user code that throws */
export function hookFailureReporter(onDiagnostic: OnDiagnostic | undefined, code: string): HookFailures {
  return reporting(diagnosticReporter(onDiagnostic, stderrLine, monotonic), code, undefined)
}

function reporting(reportDiagnostic: OnDiagnostic, code: string, patterns: TextPatterns | undefined): HookFailures {
  const report = (what: string, cost = 'the record was logged without its result'): void => {
    // Without the message of the error, which may contain secrets.
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
