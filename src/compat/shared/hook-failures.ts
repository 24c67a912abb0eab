import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { writeStderrLine } from '../../exporters/stderr.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { TextPatterns } from '../../redact/patterns/text-patterns.ts'
import { handleRejection } from '../../options/observe-promise.ts'
import { thrownMarker } from '../../values/thrown-marker.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'

/** The consequence that is reported when `write` of a stream throws or rejects. */
export const lineNotWritten = 'the line was not written'

/** Reports failures of user code (hooks) that log calls run, because log calls never throw. */
export interface HookFailureReporter {
  /**
   * Reports that user code threw, and the consequence.
   *
   * @param what - the user code, as the subject of the message
   * @param consequence - default: the record was logged without the result of the user code
   * @returns the marker that replaces the result in the line
   */
  reportThrow(what: string, error: unknown, consequence?: string): string
  /**
   * Observes the return value of user code: the rejection of a promise is reported like a throw.
   *
   * @returns whether it is a promise
   */
  observeIfPromise(what: string, result: unknown, consequence?: string): boolean
  readonly reportDiagnostic: OnDiagnostic
  /** Returns a reporter that redacts its messages, which contain member names, and its markers with these patterns. */
  withPatterns(patterns: TextPatterns | undefined): HookFailureReporter
}

/**
 * Creates a reporter.
 *
 * @param code - the diagnostic code for user code that throws or rejects
 */
export function createHookFailureReporter(onDiagnostic: OnDiagnostic | undefined, code: string): HookFailureReporter {
  return createReporter(diagnosticReporter(onDiagnostic, writeStderrLine, monotonic), code, undefined)
}

function createReporter(
  reportDiagnostic: OnDiagnostic,
  code: string,
  patterns: TextPatterns | undefined,
): HookFailureReporter {
  const report = (what: string, outcome: string, consequence = 'the record was logged without its result'): void => {
    // Without the message of the error, which may contain secrets.
    const message = `${what} ${outcome}: ${consequence}`
    reportDiagnostic({ code, message: patterns === undefined ? message : patterns.redact(message) })
  }
  return {
    reportDiagnostic,
    withPatterns: (newPatterns) => createReporter(reportDiagnostic, code, newPatterns),
    observeIfPromise: (what, result, consequence) =>
      handleRejection(result, () => report(what, 'rejected', consequence)),
    reportThrow(what, error, consequence) {
      report(what, 'threw', consequence)
      const text = thrownMarker(error)
      return patterns === undefined ? text : patterns.redact(text)
    },
  }
}
