import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import type { PipelineTarget } from '../../handler/encoding-handler.ts'
import { onRejection } from '../../options/observe-promise.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { StandardStream } from './standard-streams.ts'

/**
 * Returns a function that passes a line to what other code has put in place of `write` of a standard stream, and counts it as
 * written by `output`. Never throws.
 */
export function replacedWrite(
  standard: StandardStream,
  { processor, owner }: PipelineTarget,
  flushSync: LoggerDelivery['flushSync'],
  reportDiagnostic: OnDiagnostic,
): (line: string, severity: number) => void {
  const { counters } = owner
  return (line, severity) => {
    counters.accepted++
    counters.written++
    const failed = (): void => {
      counters.written--
      counters.drop('io_error', severity)
      reportDiagnostic({
        code: 'SLUICE_WRITE_FAILED',
        message: `fd:${standard.fd}: the function in place of write threw`,
      })
    }
    try {
      // Lines that were queued before `write` was replaced come first.
      if (processor.queuedBytes > 0) flushSync(undefined)
      onRejection(standard.write(line), failed)
    } catch {
      failed()
    }
  }
}
