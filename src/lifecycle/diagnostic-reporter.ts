import { oneLine } from '../options/one-line.ts'
import type { OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
import { ignoreRejection } from '../options/observe-promise.ts'
import { isStackExhausted } from '../values/thrown-marker.ts'
import { runAs } from './exit-guard-place.ts'
import { severityOfDiagnostic, type DiagnosticSeverity } from './diagnostic-levels.ts'

// Read at load: fake timers of a test runner may replace it later.
const enqueue = queueMicrotask
const minute = 60_000
/**
 * The maximum number of different codes that are reported; further ones are dropped. There are few codes, but a custom exporter
 * that generates them must not fill the memory.
 */
const maxCodes = 100
/** Codes without rate limit: each cause reports them at most once, and each report is about another pipeline or variable. */
const unlimited: ReadonlySet<string> = new Set(['SLUICE_RECORDS_LOST', 'SLUICE_RECORDS_PENDING', 'SLUICE_ENV_INVALID'])

/**
 * Creates a function that reports diagnostics: to `onDiagnostic`, or else to stderr, at most once a minute for each code.
 * Repetitions in between are counted, and the next line contains their number. The function throws only if the stack is
 * exhausted.
 *
 * @param writeLine - must not block; may drop lines below its level, whereas `onDiagnostic` receives diagnostics of all levels
 * @param now - returns the time in ms
 */
export function diagnosticReporter(
  onDiagnostic: OnDiagnostic | undefined,
  writeLine: (line: string, severity: DiagnosticSeverity) => void,
  now: () => number,
): OnDiagnostic {
  const last = new Map<string, { time: number; suppressed: number }>()
  let isReporting = false
  return (diagnostic: Diagnostic) => {
    // Sanitized also for `onDiagnostic`, which may write it to a terminal.
    const sanitized = { ...diagnostic, code: oneLine(diagnostic.code, 100), message: oneLine(diagnostic.message) }
    const previous = last.get(sanitized.code)
    // A callback that logs to the failing pipeline receives diagnostics with other codes, but not the same one again. It receives
    // none with a code in `unlimited`.
    const isSuppressed = unlimited.has(sanitized.code)
      ? isReporting
      : previous !== undefined && now() - previous.time < minute
    if (isSuppressed || (previous === undefined && last.size >= maxCodes)) {
      if (previous !== undefined) previous.suppressed++
      return
    }
    const entry = { time: now(), suppressed: 0 }
    last.set(sanitized.code, entry)
    const repetitions = previous?.suppressed ?? 0
    try {
      // On an exhausted stack, the diagnostic is reported after the current calls have returned.
      if (!report(sanitized, repetitions)) enqueue(() => void report(sanitized, repetitions))
    } catch (error) {
      // Without a call, since the stack is exhausted: the next occurrence is reported.
      entry.time = -Infinity
      throw error
    }
  }

  /** Reports a diagnostic. Returns false if the stack was exhausted, so that nothing was reported. */
  function report(diagnostic: Diagnostic, repetitions: number): boolean {
    const wasReporting = isReporting
    isReporting = true
    try {
      if (onDiagnostic !== undefined) ignoreRejection(runAs('program', () => onDiagnostic(diagnostic)))
      else {
        const line = `sluice: ${diagnostic.code}: ${diagnostic.message}${repeated(repetitions)}\n`
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

function repeated(repetitions: number): string {
  return repetitions === 0 ? '' : ` (repeated ${repetitions} times since the last report)`
}
