import { oneLine } from '../options/one-line.ts'
import type { OnDiagnostic, Diagnostic } from '../options/configuration-error.ts'
import { disownPromise } from '../options/observe-promise.ts'
import { isStackExhausted } from '../values/thrown-marker.ts'
import { runAs } from './exit-guard-place.ts'
import { severityOfDiagnostic, type DiagnosticSeverity } from './diagnostic-levels.ts'

// Read at load: fake timers of a test runner may replace it later.
const enqueue = queueMicrotask
const minute = 60_000
/** Codes are few; an exporter of somebody's own that makes them up does not fill the memory. */
const mostCodes = 100
/** Told at most once for each cause anyway: what one pipeline lost, or one variable has wrong, says nothing of others. */
const unlimited: ReadonlySet<string> = new Set(['SLUICE_RECORDS_LOST', 'SLUICE_RECORDS_PENDING', 'SLUICE_ENV_INVALID'])

/**
 * Creates a function that reports problems: to `onDiagnostic`, else as a line to stderr, at most once a minute for each code. What
 * happens meanwhile is counted, and the next line has the number. It throws only on an exhausted stack. `writeLine` must not block,
 * and may drop lines below its level; `onDiagnostic` gets all of them. `now` counts ms.
 */
export function diagnosticReporter(
  onDiagnostic: OnDiagnostic | undefined,
  writeLine: (line: string, severity: DiagnosticSeverity) => void,
  now: () => number,
): OnDiagnostic {
  const last = new Map<string, { time: number; untold: number }>()
  let telling = false
  return (told: Diagnostic) => {
    // Also for `onDiagnostic`, which may write it to a terminal.
    const problem = { ...told, code: oneLine(told.code, 100), message: oneLine(told.message) }
    const seen = last.get(problem.code)
    // Whoever logs into the trouble of which they are told hears of another code, but never of the same again.
    const silent = unlimited.has(problem.code) ? telling : seen !== undefined && now() - seen.time < minute
    if (silent || (seen === undefined && last.size >= mostCodes)) {
      if (seen !== undefined) seen.untold++
      return
    }
    const entry = { time: now(), untold: 0 }
    last.set(problem.code, entry)
    const times = seen?.untold ?? 0
    try {
      // On an exhausted stack, it is reported when the calls that fill it have returned.
      if (!report(problem, times)) enqueue(() => void report(problem, times))
    } catch (error) {
      // Without a call, since no stack is left: the next occurrence is reported.
      entry.time = -Infinity
      throw error
    }
  }

  /** Returns false if the stack was exhausted, so that the problem was not reported. */
  function report(problem: Diagnostic, times: number): boolean {
    const outer = telling
    telling = true
    try {
      if (onDiagnostic !== undefined) disownPromise(runAs('program', () => onDiagnostic(problem)))
      else {
        const line = `sluice: ${problem.code}: ${problem.message}${repeated(times)}\n`
        writeLine(line, severityOfDiagnostic(problem.code))
      }
    } catch (error) {
      // neither the user's function, now or by a promise, nor a closed stderr may harm the log call
      return !isStackExhausted(error)
    } finally {
      telling = outer
    }
    return true
  }
}

function repeated(times: number): string {
  return times === 0 ? '' : ` (and ${times} times more since it was last told)`
}
