import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { handleRejection } from '../../options/observe-promise.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { StandardStream } from './standard-streams.ts'

/**
 * Returns a function that passes a line to the function that other code has assigned to `write` of a standard stream, and
 * counts it in the counters of `target`. If that function fails, the line counts as dropped, and `SLUICE_WRITE_FAILED` is reported.
 */
export function replacementWriter(
  standardStream: StandardStream,
  target: PipelineTarget,
  flushSync: LoggerDelivery['flushSync'],
  reportDiagnostic: OnDiagnostic,
): (line: string, severity: number) => void {
  const { processor } = target
  const { counters } = target.owner
  return (line, severity) => {
    counters.accepted++
    counters.written++
    const countFailure = (): void => {
      counters.written--
      counters.drop('io_error', severity)
      reportDiagnostic({
        code: 'SLUICE_WRITE_FAILED',
        message: `fd:${standardStream.fd}: the function that replaces write() of the stream threw; a line is lost`,
      })
    }
    try {
      // First write the lines that were queued before `write` was replaced.
      if (processor.queuedBytes > 0) flushSync(undefined)
      handleRejection(standardStream.writeToReplacement(line), countFailure)
    } catch {
      countFailure()
    }
  }
}
