import type { Writable } from 'node:stream'
import { member } from '../../options/own-members.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import type { TransformableInfo } from './info.ts'
import type { LevelNumbers } from './levels.ts'
import { give, takesLevel, type AnyTransport, type Target } from './targets.ts'
import { Transport } from './transports/transport.ts'
import type { Uncaught } from './uncaught.ts'

/** A transport of this package. */
interface Flushable extends AnyTransport {
  flush(options?: FlushOptions): Promise<FlushResult>
  flushSync(deadlineMillis?: number): FlushResult
}

/** The transports of a logger, in the order in which they came. */
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

  /** Whether some get nothing but what nobody caught or handled. */
  get hasHandlers(): boolean {
    return this.targets.some(({ only }) => only !== undefined)
  }

  /** Those that get all records. */
  get transports(): AnyTransport[] {
    return this.targets.filter(({ only }) => only === undefined).map(({ transport }) => transport)
  }

  /** Each of them once, also those that get nothing but what nobody caught or handled. */
  get all(): AnyTransport[] {
    return [...new Set(this.targets.map(({ transport }) => transport))]
  }

  /** Adds a transport; returns false where it is there already. */
  add(transport: AnyTransport, only?: Uncaught): boolean {
    const same = this.targets.filter((target) => target.transport === transport)
    if (same.some((target) => target.only === only)) return false
    this.targets.push({ transport, only })
    if (same.length > 0) return true
    transport.on('error', this.failed)
    transport.emit('pipe', this.logger)
    return true
  }

  /** Lets those go that `isMeant` says: they write what they have, and close. */
  remove(isMeant: (target: Target) => boolean): void {
    for (const target of this.targets.filter(isMeant).toReversed()) {
      this.targets.splice(this.targets.indexOf(target), 1)
      const { transport } = target
      if (this.targets.some((other) => other.transport === transport)) continue
      transport.removeListener('error', this.failed)
      transport.emit('unpipe', this.logger)
    }
  }

  /** Whether any of them writes records of a level, where the logger's own is `own`. */
  takes(level: string, own: string, levels: LevelNumbers): boolean {
    const { targets } = this
    for (let i = 0; i < targets.length; i++) if (takesLevel(targets[i]!, level, own, levels)) return true
    return false
  }

  /** Gives all of them a record. `done` is called when all have taken it. */
  give(info: TransformableInfo, reportDiagnostic: OnDiagnostic, done?: () => void): void {
    const { targets } = this
    let left = targets.length
    const taken = done && (() => void (--left === 0 && done()))
    for (let i = 0; i < targets.length; i++) give(targets[i]!, info, reportDiagnostic, taken)
  }

  /** Waits until what they were given is written. Never rejects. Transports of others are not waited for. */
  async flush(options: FlushOptions | undefined): Promise<FlushResult> {
    return summed(await Promise.all(this.all.filter(isFlushable).map((transport) => transport.flush(options))))
  }

  /** The same without the event loop, at most so long. */
  flushSync(deadlineMillis: number | undefined): FlushResult {
    return summed(this.all.filter(isFlushable).map((transport) => transport.flushSync(deadlineMillis)))
  }

  /** Ends those that get all records, and waits until they have written what they have. */
  async end(): Promise<void> {
    await Promise.all(this.transports.map(ended))
  }
}

function isFlushable(transport: AnyTransport): transport is Flushable {
  if (!(transport instanceof Transport)) return false
  const methods = transport as object as Partial<Flushable>
  return typeof member(methods, 'flush') === 'function' && typeof member(methods, 'flushSync') === 'function'
}

function ended(transport: AnyTransport): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (member(transport, 'writableFinished') || member(transport, 'destroyed')) resolve()
  else {
    for (const event of ['finish', 'close', 'error']) transport.once(event, () => resolve())
    transport.end()
  }
  return promise
}

function summed(results: readonly FlushResult[]): FlushResult {
  return {
    ok: results.every(({ ok }) => ok),
    pending: results.reduce((sum, { pending }) => sum + pending, 0),
    dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}
