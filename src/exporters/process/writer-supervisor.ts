import type { ExporterHost } from '../../pipeline/exporter.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { Backoff } from '../fd/backoff.ts'
import { WriterChild } from './child.ts'
import { frame, Kind, type Frame } from './writer-frames.ts'
import type { WriterDestination, WriterSettings } from './writer-settings.ts'
import { hasOwn } from '../../options/own-members.ts'

/** Options of a writer in another process. */
export interface ProcessWriterOptions {
  readonly destination: WriterDestination
  /** The path of the writer's program. */
  readonly program: string
  /** The delays between two starts, in ms. They double from the first to the longest. */
  readonly restart: { readonly initialDelayMillis: number; readonly maxDelayMillis: number }
  /**
   * How long a writer may continue to write after this process has exited, in ms.
   *
   * @defaultValue the time that this process waits at exit
   */
  readonly drainMillis: number | undefined
}

/** Events of the writer processes. The listener's state may be inconsistent, so no user code may run. */
export interface SupervisorEvents {
  /** A writer process has answered a batch. */
  answered(frame: Frame): void
  /** A writer process has ended, and all its frames were delivered. */
  lost(child: WriterChild): void
}

/**
 * Supervises a writer process: at most one at a time, restarted after a delay when it has died. Diagnostics are kept until
 * `report`, which runs user code.
 */
export class WriterSupervisor {
  /** The writer process, if there is one. */
  child: WriterChild | undefined
  private readonly options: ProcessWriterOptions
  private readonly events: SupervisorEvents
  private readonly restartDelays: Backoff
  private host: ExporterHost | undefined
  private notBefore = -Infinity
  private keepsProcessAlive = false
  private closed = false
  private readonly syncs = new Map<number, () => void>()
  private lastSync = 0
  private readonly diagnostics: { readonly code: string; readonly message: string }[] = []

  constructor(options: ProcessWriterOptions, events: SupervisorEvents) {
    const { initialDelayMillis, maxDelayMillis } = options.restart
    this.options = options
    this.events = events
    this.restartDelays = new Backoff(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis))
  }

  /** Allows writer processes to be started. */
  begin(host: ExporterHost): void {
    this.host = host
  }

  /** Starts a writer process if there is none and the delay is over. Returns whether it did. */
  start(afterHalfLine: boolean): boolean {
    const { host } = this
    if (this.child !== undefined || this.closed || host === undefined || monotonic() < this.notBefore) return false
    const { destination, program, drainMillis = host.exitTimeoutMillis } = this.options
    const { target } = destination
    const settings: WriterSettings = {
      ...destination,
      // The descriptor becomes the standard output of the writer process.
      target: hasOwn(target, 'fd') ? { ...target, fd: 1 } : target,
      afterHalfLine,
      drainMillis,
    }
    this.child = WriterChild.start(program, settings, hasOwn(target, 'fd') ? target.fd : undefined, {
      frame: (frame) => this.onMessage(frame),
      onFrames: () => this.report(),
      onEnded: (child) => this.onEnded(child),
      onExit: (why, isStarted) => this.recordDeath(why, isStarted),
    })
    if (this.child === undefined) this.delayRestart(0)
    this.child?.keepAlive(this.keepsProcessAlive)
    return this.child !== undefined
  }

  /** Requests that the writer process syncs what it has written to the disk. Resolves when it has, or when it has ended. */
  sync(child: WriterChild): Promise<void> {
    const id = ++this.lastSync
    return new Promise((resolve) => {
      this.syncs.set(id, resolve)
      child.post(frame(Kind.sync, id))
    })
  }

  /** Sets whether answers of a writer keep the process alive. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.child?.keepAlive(keepsProcessAlive)
  }

  /** Ends the writer process. No other is started. */
  async close(): Promise<void> {
    this.closed = true
    await this.child?.close()
  }

  /** Reports the pending diagnostics. Runs user code. */
  report(): void {
    if (this.host === undefined) return
    for (let diagnostic = this.diagnostics.shift(); diagnostic !== undefined; diagnostic = this.diagnostics.shift()) {
      this.host.reportDiagnostic(diagnostic.code, diagnostic.message)
    }
  }

  private onMessage(message: Frame): void {
    if (message.kind === Kind.synced) {
      this.syncs.get(message.id)?.()
      this.syncs.delete(message.id)
    } else if (message.kind === Kind.problem) {
      this.diagnostics.push(JSON.parse(Buffer.from(message.payload).toString()) as { code: string; message: string })
    } else {
      this.events.answered(message)
    }
  }

  private onEnded(child: WriterChild): void {
    this.child = undefined
    this.delayRestart(child.age)
    for (const synced of this.syncs.values()) synced()
    this.syncs.clear()
    this.events.lost(child)
  }

  /** Delays the next start. The delays start over after a process that ran long enough. */
  private delayRestart(age: number): void {
    if (age > this.options.restart.maxDelayMillis) this.restartDelays.reset()
    this.notBefore = monotonic() + this.restartDelays.next()
  }

  private recordDeath(why: string, isStarted: boolean): void {
    if (this.closed) return
    const { name } = this.options.destination
    const what = isStarted ? `the writer process exited (${why})` : `the writer process could not be started (${why})`
    const message = `${name}: ${what}; this process writes until another one is started`
    this.diagnostics.push({ code: 'SLUICE_WRITER_FAILED', message })
    this.report()
  }
}
