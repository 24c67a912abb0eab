import type { ExporterHost } from '../../pipeline/exporter.ts'
import { PIPE_BUF } from './line-chunks.ts'
import { failureReport, isReaderGone } from './write-errors.ts'

/**
 * Pending diagnostics of a writer, the last one for each code. Reporting runs user code, which may log and flush, so the writer
 * reports only when its state is consistent.
 */
export class WriteDiagnostics {
  host: ExporterHost | undefined
  private readonly name: string
  /** Messages by diagnostic code. */
  private readonly kept = new Map<string, string>()

  /** @param name - The destination's name in messages. */
  constructor(name: string) {
    this.name = name
  }

  /** Whether a diagnostic is pending. */
  get isKept(): boolean {
    return this.kept.size > 0
  }

  /** Records a failure to open or write. */
  keep(action: 'open' | 'write', error: unknown, permanent: boolean): void {
    const consequence = permanent ? 'later records are lost' : 'retrying'
    const usualCode = isReaderGone(error) ? 'SLUICE_READER_CLOSED' : 'SLUICE_WRITE_FAILED'
    const { code, reason } = failureReport(error, usualCode)
    this.note(code, `${this.name}: cannot ${action}${reason}; ${consequence}`)
  }

  /** Records that a line is too long for a shared pipe to accept atomically. */
  keepLongLine(): void {
    const limit = `longer than the ${PIPE_BUF} bytes that a pipe accepts atomically`
    this.note(
      'SLUICE_LINE_MAY_INTERLEAVE',
      `${this.name}: a line is ${limit}, so another writer may split it; lower limits.recordBytes`,
    )
  }

  /** Records a diagnostic with any code. */
  note(code: string, message: string): void {
    this.kept.set(code, message)
  }

  /** Reports the pending diagnostics if there is a host. */
  report(): void {
    const { kept, host } = this
    if (kept.size === 0 || host === undefined) return
    const diagnostics = [...kept]
    kept.clear()
    for (const [code, message] of diagnostics) host.reportDiagnostic(code, message)
  }
}
