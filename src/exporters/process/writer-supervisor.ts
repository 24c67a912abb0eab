import type { ExporterHost } from '../../pipeline/exporter.ts'
import { monotonic } from '../../platform/node/end-of-turn.ts'
import { Backoff } from '../fd/backoff.ts'
import { WriterChild } from './child.ts'
import { encodeFrame, FrameKind, type Frame } from './writer-frames.ts'
import type { WriterDestination, WriterSettings } from './writer-settings.ts'
import { hasOwn } from '../../options/own-members.ts'

/** Options of a writer in another process. */
export interface ProcessWriterOptions {
  readonly destination: WriterDestination
  /** The path of the writer's program. */
  readonly program: string
  /** The delays before a writer process is started again, in ms. They double from the first to the longest. */
  readonly restart: { readonly initialDelayMillis: number; readonly maxDelayMillis: number }
  /**
   * How long a writer process may continue to write after this process has exited, in ms.
   *
   * @defaultValue the host's `exitTimeoutMillis`
   */
  readonly drainMillis: number | undefined
}

/** Events of the writer processes. The caller of `child.receive` may be in an inconsistent state, so no user code may run. */
export interface SupervisorEvents {
  /** A writer process has answered a batch. */
  onAnswer(frame: Frame): void
  /** A writer process has ended, and all its frames were read. */
  onWriterLost(child: WriterChild): void
}

/**
 * Supervises a writer process: at most one at a time, and another one not before a delay after the last one has ended.
 * Diagnostics are collected until `report`, which runs user code.
 */
export class WriterSupervisor {
  /** The writer process, if there is one. */
  child: WriterChild | undefined
  private readonly options: ProcessWriterOptions
  private readonly events: SupervisorEvents
  private readonly restartDelays: Backoff
  private host: ExporterHost | undefined
  /** No writer process is started before this time, in ms of `monotonic()`. */
  private nextStartAt = -Infinity
  private keepsProcessAlive = false
  private isClosed = false
  /** The resolvers of pending `sync` calls, by the id of the request. */
  private readonly pendingSyncs = new Map<number, () => void>()
  private lastSyncId = 0
  private readonly diagnostics: { readonly code: string; readonly message: string }[] = []

  constructor(options: ProcessWriterOptions, events: SupervisorEvents) {
    const { initialDelayMillis, maxDelayMillis } = options.restart
    this.options = options
    this.events = events
    this.restartDelays = new Backoff(initialDelayMillis, Math.max(initialDelayMillis, maxDelayMillis))
  }

  /** Sets the host. No writer process is started before. */
  setHost(host: ExporterHost): void {
    this.host = host
  }

  /** Starts a writer process if none is running and the delay is over. Returns whether one was started. */
  tryStart(mayEndInsideLine: boolean): boolean {
    const { host } = this
    if (this.child !== undefined || this.isClosed || host === undefined || monotonic() < this.nextStartAt) return false
    const { destination, program, drainMillis = host.exitTimeoutMillis } = this.options
    const { target } = destination
    const settings: WriterSettings = {
      ...destination,
      // The descriptor becomes the standard output of the writer process.
      target: hasOwn(target, 'fd') ? { ...target, fd: 1 } : target,
      mayEndInsideLine,
      drainMillis,
    }
    this.child = WriterChild.start(program, settings, hasOwn(target, 'fd') ? target.fd : undefined, {
      onFrame: (frame) => this.onFrame(frame),
      onFramesRead: () => this.report(),
      onEnded: (child) => this.onEnded(child),
      onExit: (why, hasExited) => this.recordExit(why, hasExited),
    })
    if (this.child === undefined) this.delayRestart(0)
    this.child?.keepAlive(this.keepsProcessAlive)
    return this.child !== undefined
  }

  /** Requests that the writer process syncs what it has written to the disk. Resolves when it has tried to, or has ended. */
  sync(child: WriterChild): Promise<void> {
    const id = ++this.lastSyncId
    return new Promise((resolve) => {
      this.pendingSyncs.set(id, resolve)
      child.post(encodeFrame(FrameKind.sync, id))
    })
  }

  /** Sets whether waiting for answers of the writer process keeps this process alive. */
  keepAlive(keepsProcessAlive: boolean): void {
    this.keepsProcessAlive = keepsProcessAlive
    this.child?.keepAlive(keepsProcessAlive)
  }

  /** Ends the writer process. No other one is started afterwards. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.child?.close()
  }

  /** Reports the pending diagnostics. Runs user code. */
  report(): void {
    if (this.host === undefined) return
    for (let diagnostic = this.diagnostics.shift(); diagnostic !== undefined; diagnostic = this.diagnostics.shift()) {
      this.host.reportDiagnostic(diagnostic.code, diagnostic.message)
    }
  }

  private onFrame(frame: Frame): void {
    if (frame.kind === FrameKind.synced) {
      this.pendingSyncs.get(frame.id)?.()
      this.pendingSyncs.delete(frame.id)
    } else if (frame.kind === FrameKind.diagnostic) {
      this.diagnostics.push(JSON.parse(Buffer.from(frame.payload).toString()) as { code: string; message: string })
    } else {
      this.events.onAnswer(frame)
    }
  }

  private onEnded(child: WriterChild): void {
    this.child = undefined
    this.delayRestart(child.ageMillis)
    for (const resolve of this.pendingSyncs.values()) resolve()
    this.pendingSyncs.clear()
    this.events.onWriterLost(child)
  }

  /** Delays the next start. After a process that ran for longer than the longest delay, the delays start over. */
  private delayRestart(ageMillis: number): void {
    if (ageMillis > this.options.restart.maxDelayMillis) this.restartDelays.reset()
    this.nextStartAt = monotonic() + this.restartDelays.next()
  }

  /** Adds and reports a diagnostic: the writer process has exited or could not be started. */
  private recordExit(why: string, hasExited: boolean): void {
    if (this.isClosed) return
    const { name } = this.options.destination
    const what = hasExited ? `the writer process exited (${why})` : `the writer process could not be started (${why})`
    const message = `${name}: ${what}; this process writes until another one is started`
    this.diagnostics.push({ code: 'SLUICE_WRITER_FAILED', message })
    this.report()
  }
}
