import type { ExporterHost } from '../pipeline/exporter.ts'
import { errorCode } from './write-errors.ts'

/**
 * Keeps a writer's last trouble until it may be told: telling runs user code, which may log and flush, so the writer does
 * that only when its state is whole.
 */
export class WriteTroubles {
  host: ExporterHost | undefined
  private readonly name: string
  private kept: string | undefined

  /** @param name how messages call the destination. */
  constructor(name: string) {
    this.name = name
  }

  /** Whether there is something to tell. */
  get isKept(): boolean {
    return this.kept !== undefined
  }

  /** Keeps an error. The message names the system's code only: its text may hold more than the destination's name. */
  keep(action: 'open' | 'write', error: unknown, permanent: boolean): void {
    const outlook = permanent ? 'later records are lost' : 'trying again'
    this.kept = `${this.name}: cannot ${action} (${errorCode(error)}); ${outlook}`
  }

  /** Tells what was kept, once there is a host. */
  tell(): void {
    const { kept, host } = this
    if (kept === undefined || host === undefined) return
    this.kept = undefined
    host.problem('SLUICE_WRITE_FAILED', kept)
  }
}
