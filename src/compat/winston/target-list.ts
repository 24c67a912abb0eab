import type { Writable } from 'node:stream'
import { member } from '../../options/own-members.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { TransformableInfo } from './info.ts'
import type { LevelNumbers } from './levels.ts'
import { passToTransport, acceptsLevel, type AnyTransport, type Target } from './targets.ts'
import { Transport } from './transports/transport.ts'
import type { UncaughtKind } from './uncaught.ts'

/** A transport of this package, whose queue can be flushed. */
interface Flushable extends AnyTransport {
  flush(options?: FlushOptions): Promise<FlushResult>
  flushSync(timeoutMillis?: number): FlushResult
}

/** The transports of a logger, in the order in which they were added. */
export class TargetList {
  private readonly targets: Target[] = []
  private readonly logger: Writable
  private readonly onError: (error: unknown) => void

  constructor(logger: Writable, onError: (error: unknown) => void) {
    this.logger = logger
    this.onError = onError
  }

  get isEmpty(): boolean {
    return this.targets.length === 0
  }

  /** Whether any transport receives only uncaught exceptions or unhandled rejections. */
  get hasUncaughtTargets(): boolean {
    return this.targets.some(({ uncaughtKind }) => uncaughtKind !== undefined)
  }

  /** The transports that receive all records. */
  get transports(): AnyTransport[] {
    return this.targets.filter(({ uncaughtKind }) => uncaughtKind === undefined).map(({ transport }) => transport)
  }

  /** All transports without duplicates, including those that receive only uncaught exceptions or unhandled rejections. */
  get allTransports(): AnyTransport[] {
    return [...new Set(this.targets.map(({ transport }) => transport))]
  }

  /** Adds a transport. Returns false if it was already added for the same records. */
  add(transport: AnyTransport, uncaughtKind?: UncaughtKind): boolean {
    const sameTransport = this.targets.filter((target) => target.transport === transport)
    if (sameTransport.some((target) => target.uncaughtKind === uncaughtKind)) return false
    this.targets.push({ transport, uncaughtKind })
    if (sameTransport.length > 0) return true
    transport.on('error', this.onError)
    transport.emit('pipe', this.logger)
    return true
  }

  /**
   * Removes the targets that match. A transport without another target in this logger is disconnected (`unpipe`). If it is one of
   * this package and no other logger uses it, its `close()` is called, which still writes everything that is queued.
   */
  remove(matches: (target: Target) => boolean): void {
    for (const target of this.targets.filter(matches).toReversed()) {
      this.targets.splice(this.targets.indexOf(target), 1)
      const { transport } = target
      if (this.targets.some((other) => other.transport === transport)) continue
      transport.removeListener('error', this.onError)
      transport.emit('unpipe', this.logger)
    }
  }

  /** Returns whether any transport writes records of a level. */
  acceptsLevel(level: string, loggerLevel: string, levels: LevelNumbers): boolean {
    const { targets } = this
    for (let i = 0; i < targets.length; i++) if (acceptsLevel(targets[i]!, level, loggerLevel, levels)) return true
    return false
  }

  /** Passes a record to all transports. `done` is called after each has accepted it or failed; never if there are no transports. */
  passToAll(info: TransformableInfo, reportDiagnostic: OnDiagnostic, done?: () => void): void {
    const { targets } = this
    let remaining = targets.length
    const countAccepted = done && (() => void (--remaining === 0 && done()))
    for (let i = 0; i < targets.length; i++) passToTransport(targets[i]!, info, reportDiagnostic, countAccepted)
  }

  /** Waits until all transports of this package have written their queues. Never rejects. */
  async flush(options: FlushOptions | undefined): Promise<FlushResult> {
    return sumResults(
      await Promise.all(this.allTransports.filter(isFlushable).map((transport) => transport.flush(options))),
    )
  }

  /** Flushes the same transports one after the other, without the event loop, each for at most `timeoutMillis`. */
  flushSync(timeoutMillis: number | undefined): FlushResult {
    return sumResults(this.allTransports.filter(isFlushable).map((transport) => transport.flushSync(timeoutMillis)))
  }

  /** Ends the transports that receive all records, and waits until they have written everything or failed. */
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
