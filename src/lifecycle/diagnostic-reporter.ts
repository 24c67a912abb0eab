import { counted } from '../options/counted.ts'
import { oneLine } from '../options/one-line.ts'
import type { OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { isStackExhausted } from '../values/thrown-marker.ts'
import { attributeWorkTo } from './shared-exit-guard.ts'
import { severityOfDiagnostic, type DiagnosticSeverity } from './diagnostic-levels.ts'

// Read at load: fake timers of a test runner may replace it later.
const enqueue = queueMicrotask
/** The minimum time between two reports of one code, in ms. */
const reportIntervalMillis = 60_000
/**
 * The maximum number of different codes that are reported; further ones are dropped. There are few codes, but a custom exporter
 * that generates them must not fill the memory.
 */
const maxCodes = 100
/** Codes without a rate limit: they are reported rarely, and each report is about another pipeline, variable or number of records. */
const unlimitedCodes: ReadonlySet<string> = new Set([
  'SLUICE_RECORDS_LOST',
  'SLUICE_RECORDS_PENDING',
  'SLUICE_ENV_INVALID',
])

/**
 * Creates a function that reports diagnostics: to `onDiagnostic`, or else to stderr, at most once a minute for each code except
 * `unlimitedCodes`. Repetitions in between are counted, and the next line contains their number. The function throws only if the
 * stack is exhausted.
 *
 * @param writeLine - must not block; may drop lines below its level, whereas `onDiagnostic` receives diagnostics of all levels
 * @param now - returns the time in ms
 */
export function diagnosticReporter(
  onDiagnostic: OnDiagnostic | undefined,
  writeLine: (line: string, severity: DiagnosticSeverity) => void,
  now: () => number,
): OnDiagnostic {
  const lastReports = new Map<string, { time: number; suppressed: number }>()
  let isReporting = false
  return (diagnostic: Diagnostic) => {
    // Sanitized for `onDiagnostic` too, which may write it to a terminal.
    const sanitized = { ...diagnostic, code: oneLine(diagnostic.code, 100), message: oneLine(diagnostic.message) }
    const previous = lastReports.get(sanitized.code)
    // If `onDiagnostic` logs to the failing pipeline, it is called again for other codes, but neither for the same one nor for
    // those in `unlimitedCodes`: otherwise the recursion would not end.
    const isSuppressed = unlimitedCodes.has(sanitized.code)
      ? isReporting
      : previous !== undefined && now() - previous.time < reportIntervalMillis
    if (isSuppressed || (previous === undefined && lastReports.size >= maxCodes)) {
      if (previous !== undefined) previous.suppressed++
      return
    }
    const entry = { time: now(), suppressed: 0 }
    lastReports.set(sanitized.code, entry)
    const repetitions = previous?.suppressed ?? 0
    try {
      // On an exhausted stack, the diagnostic is reported after the current calls have returned.
      if (!report(sanitized, repetitions)) enqueue(() => void report(sanitized, repetitions))
    } catch (error) {
      // Allow the next occurrence to be reported. Assign instead of calling `lastReports.delete()`, which would also overflow the stack.
      entry.time = -Infinity
      throw error
    }
  }

  /** Reports a diagnostic. Returns false if the stack was exhausted, so that nothing was reported. */
  function report(diagnostic: Diagnostic, repetitions: number): boolean {
    const wasReporting = isReporting
    isReporting = true
    try {
      if (onDiagnostic !== undefined) ignoreRejection(attributeWorkTo('program', () => onDiagnostic(diagnostic)))
      else {
        const line = `sluice: ${diagnostic.code}: ${diagnostic.message}${repetitionNote(repetitions)}\n`
        writeLine(line, severityOfDiagnostic(diagnostic.code))
      }
    } catch (error) {
      // An exception or rejection of the user's function, or a closed stderr, must not affect the log call.
      return !isStackExhausted(error)
    } finally {
      isReporting = wasReporting
    }
    return true
  }
}

function repetitionNote(repetitions: number): string {
  return repetitions === 0 ? '' : ` (repeated ${counted(repetitions, 'time')} since the last report)`
}
