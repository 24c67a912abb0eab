import type { Writable } from 'node:stream'
import { member } from '../../options/own-members.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { TransformableInfo } from './info.ts'
import type { LevelNumbers } from './levels.ts'
import { passToTransport, acceptsLevel, type AnyTransport, type Target } from './targets.ts'
import { Transport } from './transports/transport.ts'
import type { Uncaught } from './uncaught.ts'

/** A transport of this package. */
interface Flushable extends AnyTransport {
  flush(options?: FlushOptions): Promise<FlushResult>
  flushSync(deadlineMillis?: number): FlushResult
}

/** The transports of a logger, in the order in which they were added. */
export class TargetList {
  private readonly targets: Target[] = []
  private readonly logger: Writable
  private readonly failed: (error: unknown) => void

  constructor(logger: Writable, failed: (error: unknown) => void) {
    this.logger = logger
    this.failed = failed
  }

  get isEmpty(): boolean {
    return this.targets.length === 0
  }

  /** Whether any transport receives only uncaught exceptions or unhandled rejections. */
  get hasHandlers(): boolean {
    return this.targets.some(({ only }) => only !== undefined)
  }

  /** The transports that receive all records. */
  get transports(): AnyTransport[] {
    return this.targets.filter(({ only }) => only === undefined).map(({ transport }) => transport)
  }

  /** All transports without duplicates, including those that receive only uncaught exceptions or unhandled rejections. */
  get all(): AnyTransport[] {
    return [...new Set(this.targets.map(({ transport }) => transport))]
  }

  /** Adds a transport. Returns false if it was already added. */
  add(transport: AnyTransport, only?: Uncaught): boolean {
    const same = this.targets.filter((target) => target.transport === transport)
    if (same.some((target) => target.only === only)) return false
    this.targets.push({ transport, only })
    if (same.length > 0) return true
    transport.on('error', this.failed)
    transport.emit('pipe', this.logger)
    return true
  }

  /** Removes the targets that match. Their transports write everything that is queued, and close. */
  remove(matches: (target: Target) => boolean): void {
    for (const target of this.targets.filter(matches).toReversed()) {
      this.targets.splice(this.targets.indexOf(target), 1)
      const { transport } = target
      if (this.targets.some((other) => other.transport === transport)) continue
      transport.removeListener('error', this.failed)
      transport.emit('unpipe', this.logger)
    }
  }

  /** Returns whether any transport writes records of a level, where `own` is the level of the logger. */
  takes(level: string, own: string, levels: LevelNumbers): boolean {
    const { targets } = this
    for (let i = 0; i < targets.length; i++) if (acceptsLevel(targets[i]!, level, own, levels)) return true
    return false
  }

  /** Passes a record to all transports. `done` is called after all of them accepted it. */
  give(info: TransformableInfo, reportDiagnostic: OnDiagnostic, done?: () => void): void {
    const { targets } = this
    let remaining = targets.length
    const handleAccepted = done && (() => void (--remaining === 0 && done()))
    for (let i = 0; i < targets.length; i++) passToTransport(targets[i]!, info, reportDiagnostic, handleAccepted)
  }

  /** Waits until all transports of this package have written their queues. Never rejects. */
  async flush(options: FlushOptions | undefined): Promise<FlushResult> {
    return sumResults(await Promise.all(this.all.filter(isFlushable).map((transport) => transport.flush(options))))
  }

  /** Flushes the same transports without the event loop, for at most `deadlineMillis`. */
  flushSync(deadlineMillis: number | undefined): FlushResult {
    return sumResults(this.all.filter(isFlushable).map((transport) => transport.flushSync(deadlineMillis)))
  }

  /** Ends the transports that receive all records, and waits until they have written everything. */
  async end(): Promise<void> {
    await Promise.all(this.transports.map(endTransport))
  }
}

function isFlushable(transport: AnyTransport): transport is Flushable {
  if (!(transport instanceof Transport)) return false
  const methods = transport as object as Partial<Flushable>
  return typeof member(methods, 'flush') === 'function' && typeof member(methods, 'flushSync') === 'function'
}

function endTransport(transport: AnyTransport): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (member(transport, 'writableFinished') || member(transport, 'destroyed')) resolve()
  else {
    for (const event of ['finish', 'close', 'error']) transport.once(event, () => resolve())
    transport.end()
  }
  return promise
}

function sumResults(results: readonly FlushResult[]): FlushResult {
  return {
    ok: results.every(({ ok }) => ok),
    pending: results.reduce((sum, { pending }) => sum + pending, 0),
    dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}
