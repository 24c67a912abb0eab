import type { ExporterHost } from '../../pipeline/exporter.ts'
import { PIPE_BUF } from './line-chunks.ts'
import { failureReport, isReaderGone } from './write-errors.ts'

/**
 * The diagnostics that a writer has not reported yet, the last one for each code. Reporting runs user code, which may log and flush,
 * so the writer reports only when its state is consistent.
 */
export class WriteDiagnostics {
  /** Receives the diagnostics; undefined before the exporter is started. */
  host: ExporterHost | undefined
  private readonly name: string
  /** Messages by diagnostic code. */
  private readonly pending = new Map<string, string>()

  /** @param name - The destination's name in messages. */
  constructor(name: string) {
    this.name = name
  }

  /** Whether a diagnostic is pending. */
  get hasPending(): boolean {
    return this.pending.size > 0
  }

  /** Adds a diagnostic for a failure to open or write. */
  addFailure(action: 'open' | 'write', error: unknown, isPermanent: boolean): void {
    const consequence = isPermanent ? 'later records are lost' : 'retrying'
    const defaultCode = isReaderGone(error) ? 'SLUICE_READER_CLOSED' : 'SLUICE_WRITE_FAILED'
    const { code, reason } = failureReport(error, defaultCode)
    this.add(code, `${this.name}: cannot ${action}${reason}; ${consequence}`)
  }

  /** Adds a diagnostic for a line that is too long for a shared pipe to accept atomically. */
  addLongLine(): void {
    const limit = `longer than the ${PIPE_BUF} bytes that a pipe accepts atomically`
    this.add(
      'SLUICE_LINE_MAY_INTERLEAVE',
      `${this.name}: a line is ${limit}, so another writer may split it; lower limits.recordBytes`,
    )
  }

  /** Adds a diagnostic with any code. It replaces a pending one with the same code. */
  add(code: string, message: string): void {
    this.pending.set(code, message)
  }

  /** Reports the pending diagnostics if there is a host. */
  report(): void {
    const { pending, host } = this
    if (pending.size === 0 || host === undefined) return
    const diagnostics = [...pending]
    pending.clear()
    for (const [code, message] of diagnostics) host.reportDiagnostic(code, message)
  }
}
