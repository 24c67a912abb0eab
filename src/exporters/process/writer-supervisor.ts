import type { ExporterHost } from '../../pipeline/exporter.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { Backoff } from '../fd/backoff.ts'
import { WriterChild } from './child.ts'
import { frame, Kind, type Frame } from './writer-frames.ts'
import type { WriterDestination, WriterSettings } from './writer-settings.ts'
import { hasOwn } from '../../options/own-members.ts'

/** What a writer in another process needs. */
export interface ProcessWriterOptions {
  readonly destination: WriterDestination
  /** The file of the writer's program. */
  readonly program: string
  /** How long the pauses between two starts are, in ms; they double from the first to the longest. */
  readonly restart: { readonly initialDelayMillis: number; readonly maxDelayMillis: number }
  /** For how long a writer may write on when this process is gone, in ms. Default: as long as this process waits at exit. */
  readonly drainMillis: number | undefined
}

/** What becomes known of the writer processes while the state of who listens need not be whole: no user code may run. */
export interface SupervisorEvents {
  /** One has answered for a batch. */
  answered(frame: Frame): void
  /** One is gone, and has said all that it had to say. */
  lost(child: WriterChild): void
}

/**
 * Keeps a writer process: at most one at a time, started again after a pause when it has died. What goes wrong is kept until
 * `tell`, which runs user code.
 */
export class WriterSupervisor {
  /** The writer process, if there is one. */
  child: WriterChild | undefined
  private readonly options: ProcessWriterOptions
  private readonly events: SupervisorEvents
  private readonly pauses: Backoff
  private host: ExporterHost | undefined
  private notBefore = -Infinity
  private alive = false
  private closed = false
  private readonly syncs = new Map<number, () => void>()
  private lastSync = 0
  private readonly diagnostics: { readonly code: string; readonly message: string }[] = []

  constructor(options: ProcessWriterOptions, events: SupervisorEvents) {
    const { initialDelayMillis, maxDelayMillis } = options.restart
    this.options = options
    this.events = events
    this.pauses = new Backoff(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis))
  }

  /** From now on a writer process may be started. */
  begin(host: ExporterHost): void {
    this.host = host
  }

  /** Starts a writer process if there is none and the pause is over. Returns whether it did. */
  start(afterHalfLine: boolean): boolean {
    const { host } = this
    if (this.child !== undefined || this.closed || host === undefined || monotonic() < this.notBefore) return false
    const { destination, program, drainMillis = host.exitTimeoutMillis } = this.options
    const { target } = destination
    const settings: WriterSettings = {
      ...destination,
      // Its standard output is our descriptor.
      target: hasOwn(target, 'fd') ? { ...target, fd: 1 } : target,
      afterHalfLine,
      drainMillis,
    }
    this.child = WriterChild.start(program, settings, hasOwn(target, 'fd') ? target.fd : undefined, {
      frame: (frame) => this.onMessage(frame),
      heard: () => this.report(),
      ended: (child) => this.lose(child),
      died: (why, isStarted) => this.noteDeath(why, isStarted),
    })
    if (this.child === undefined) this.pause(0)
    this.child?.keepAlive(this.alive)
    return this.child !== undefined
  }

  /** Has the writer process put onto the disk what it has written. Resolves when it has, or is gone. */
  sync(child: WriterChild): Promise<void> {
    const id = ++this.lastSync
    return new Promise((resolve) => {
      this.syncs.set(id, resolve)
      child.post(frame(Kind.sync, id))
    })
  }

  /** Whether the process must stay alive for what a writer says. */
  keepAlive(alive: boolean): void {
    this.alive = alive
    this.child?.keepAlive(alive)
  }

  /** Ends the writer process, and starts none any more. */
  async close(): Promise<void> {
    this.closed = true
    await this.child?.close()
  }

  /** Tells what went wrong. Runs user code. */
  report(): void {
    if (this.host === undefined) return
    for (let trouble = this.diagnostics.shift(); trouble !== undefined; trouble = this.diagnostics.shift()) {
      this.host.reportDiagnostic(trouble.code, trouble.message)
    }
  }

  private onMessage(said: Frame): void {
    if (said.kind === Kind.synced) {
      this.syncs.get(said.id)?.()
      this.syncs.delete(said.id)
    } else if (said.kind === Kind.problem) {
      this.diagnostics.push(JSON.parse(Buffer.from(said.payload).toString()) as { code: string; message: string })
    } else {
      this.events.answered(said)
    }
  }

  private lose(child: WriterChild): void {
    this.child = undefined
    this.pause(child.age)
    for (const synced of this.syncs.values()) synced()
    this.syncs.clear()
    this.events.lost(child)
  }

  /** One that lived long enough starts the pauses anew. */
  private pause(age: number): void {
    if (age > this.options.restart.maxDelayMillis) this.pauses.reset()
    this.notBefore = monotonic() + this.pauses.next()
  }

  private noteDeath(why: string, isStarted: boolean): void {
    if (this.closed) return
    const { name } = this.options.destination
    const what = isStarted ? `the writer process ended (${why})` : `no writer process could be started (${why})`
    const message = `${name}: ${what}; this process writes until there is another`
    this.diagnostics.push({ code: 'SLUICE_WRITER_FAILED', message })
    this.report()
  }
}
