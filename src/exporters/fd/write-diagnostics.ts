import type { ExporterHost } from '../../pipeline/exporter.ts'
import { PIPE_BUF } from './line-chunks.ts'
import { failureReport, isReaderGone } from './write-errors.ts'

/**
 * Keeps a writer's last trouble of each kind until it may be told: telling runs user code, which may log and flush, so the writer does
 * that only when its state is whole.
 */
export class WriteDiagnostics {
  host: ExporterHost | undefined
  private readonly name: string
  /** By code. */
  private readonly kept = new Map<string, string>()

  /** @param name how messages call the destination. */
  constructor(name: string) {
    this.name = name
  }

  /** Whether there is something to tell. */
  get isKept(): boolean {
    return this.kept.size > 0
  }

  /** Keeps an error. */
  keep(action: 'open' | 'write', error: unknown, permanent: boolean): void {
    const outlook = permanent ? 'later records are lost' : 'trying again'
    const usualCode = isReaderGone(error) ? 'SLUICE_READER_GONE' : 'SLUICE_WRITE_FAILED'
    const { code, reason } = failureReport(error, usualCode)
    this.note(code, `${this.name}: cannot ${action}${reason}; ${outlook}`)
  }

  /** Keeps that a line went to a shared pipe which does not take it whole. */
  keepLongLine(): void {
    const limit = `longer than the ${PIPE_BUF} bytes that a shared pipe takes whole`
    this.note('SLUICE_LINE_MAY_TEAR', `${this.name}: a line is ${limit}; other writers may fall inside it`)
  }

  /** Keeps a problem of any kind. */
  note(code: string, message: string): void {
    this.kept.set(code, message)
  }

  /** Tells what was kept, once there is a host. */
  report(): void {
    const { kept, host } = this
    if (kept.size === 0 || host === undefined) return
    const problems = [...kept]
    kept.clear()
    for (const [code, message] of problems) host.reportDiagnostic(code, message)
  }
}
