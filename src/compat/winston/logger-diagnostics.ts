import type { Writable } from 'node:stream'
import { severityOfDiagnostic } from '../../lifecycle/diagnostic-levels.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { writeStderrLine } from '../../exporters/stderr.ts'
import type { OnDiagnostic, Diagnostic } from '../../options/configuration-error.ts'
import { thrownName } from '../../values/thrown-marker.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import type { LevelNumbers } from './levels.ts'

/** Reports the diagnostics of a logger: to its `onDiagnostic`, otherwise to listeners of `warn`, otherwise on stderr. */
export class LoggerDiagnostics {
  /** The option `onDiagnostic` of the logger. */
  onDiagnostic: OnDiagnostic | undefined
  readonly reportDiagnostic: OnDiagnostic
  private readonly logger: Writable

  constructor(logger: Writable) {
    this.logger = logger
    // Limits how often a code is reported.
    this.reportDiagnostic = diagnosticReporter((diagnostic) => this.deliver(diagnostic), writeStderrLine, monotonic)
  }

  /** Reports a record that could not be processed, for example because the stack was exhausted. Never throws. */
  reportLostRecord(error: unknown): void {
    try {
      this.reportDiagnostic({
        code: 'SLUICE_EXPORT_FAILED',
        message: `a record could not be created and is lost: ${thrownName(error)}`,
      })
    } catch {
      // The stack is still exhausted.
    }
  }

  /** Emits the error of a transport on the logger, or reports it if there is no listener. */
  reportTransportError(error: unknown): void {
    if (this.logger.listenerCount('error') > 0) this.logger.emit('error', error)
    else this.reportDiagnostic({ code: 'SLUICE_EXPORT_FAILED', message: `a transport failed: ${thrownName(error)}` })
  }

  reportMissingTransport(): void {
    this.reportDiagnostic({
      code: 'SLUICE_TRANSPORT_MISSING',
      message: 'a logger has no transports, so its records are not written: add a transport',
    })
  }

  reportUnknownLevel(level: string, levels: LevelNumbers): void {
    const names = Object.keys(levels).join(', ')
    const message = `unknown level ${JSON.stringify(level)}, so the record is not written; valid levels are ${names}`
    this.reportDiagnostic({ code: 'SLUICE_LEVEL_UNKNOWN', message })
  }

  private deliver(diagnostic: Diagnostic): void {
    const text = `${diagnostic.code}: ${diagnostic.message}`
    // Returned, because it may be a promise despite its type, and the caller handles its rejection.
    if (this.onDiagnostic !== undefined) return this.onDiagnostic(diagnostic)
    if (this.logger.listenerCount('warn') > 0) this.logger.emit('warn', new Error(text))
    else writeStderrLine(`sluice: ${text}\n`, severityOfDiagnostic(diagnostic.code))
  }
}
