import { Writable } from 'node:stream'
import { problemReporter } from '../../delivery/problem-reporter.ts'
import { stderrLine } from '../../export/stderr.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnProblem, Problem } from '../../record/problems.ts'
import { monotonic } from '../../runtime/end-of-turn.ts'
import { threw } from '../../rules/threw.ts'
import { ErrorInfo, infoOfLog, infoOfObject, type Metas } from './call-info.ts'
import { Catcher } from './catcher.ts'
import { json } from './formats/json.ts'
import { LEVEL, type Format, type TransformableInfo } from './info.ts'
import { levelConfigs, levelNumber, type LevelNumbers } from './levels.ts'
import { loggerSettings, type LoggerOptions } from './logger-options.ts'
import { Profiler, Timers } from './profiler.ts'
import { InfoCopier, readMember } from './safe-info.ts'
import { give, takesLevel, type AnyTransport, type Target } from './targets.ts'
import { doneAfter, formattedBy, Transport } from './transports/transport.ts'

/** A logger with winston's API, whose transports write through this package's queues. */
export class Logger extends Writable {
  /** The least severe level that is written, for transports without one of their own. May be set at any time. */
  level!: string
  /** Levels by name: the lower the number, the more severe. */
  levels!: LevelNumbers
  /** How a record becomes text, before formats that transports have. */
  format!: Format
  /** Stands in each record; null: nothing. */
  defaultMeta!: object | null
  /** Writes nothing. */
  silent!: boolean
  /** Whether an exception that nobody caught ends the process once it is written; a function is asked. */
  exitOnError!: boolean | ((error: unknown) => boolean)
  /** Writes exceptions that nobody caught. */
  exceptions!: Catcher
  /** Writes rejections that nobody handled. */
  rejections!: Catcher
  /** Tells trouble. */
  readonly tell: OnProblem
  private readonly targets: Target[] = []
  /** What child loggers add, the outermost first. */
  readonly childMetas: readonly object[] = []
  private readonly timers = new Timers()
  private copier!: InfoCopier
  private onProblem: OnProblem | undefined

  /** @throws ConfigurationError with everything that is wrong in the options. */
  constructor(options: LoggerOptions = {}) {
    super({ objectMode: true, autoDestroy: false })
    const report = problemReporter((problem) => this.report(problem), stderrLine, monotonic)
    this.tell = (problem) => report(problem)
    this.configure(options)
  }

  /**
   * Sets all options anew; transports that were there are let go.
   *
   * @throws ConfigurationError with everything that is wrong; then nothing has changed.
   */
  configure(given: LoggerOptions = {}): void {
    const { options, rules, hasRules } = loggerSettings(given)
    this.clear()
    this.exceptions?.unhandle()
    this.rejections?.unhandle()
    this.silent = options.silent ?? false
    this.format = options.format ?? this.format ?? json()
    this.defaultMeta = options.defaultMeta ?? null
    this.levels = options.levels ?? this.levels ?? levelConfigs.npm.levels
    this.level = options.level ?? 'info'
    this.exitOnError = options.exitOnError ?? true
    this.onProblem = options.onProblem
    this.copier = new InfoCopier(rules, hasRules)
    this.exceptions = new Catcher(this, 'exception')
    this.rejections = new Catcher(this, 'rejection')
    for (const transport of listOf(options.transports)) this.add(transport)
    if (options.exceptionHandlers !== undefined) this.exceptions.handle(...listOf(options.exceptionHandlers))
    if (options.rejectionHandlers !== undefined) this.rejections.handle(...listOf(options.rejectionHandlers))
  }

  /** Where records go. */
  get transports(): AnyTransport[] {
    return this.targets.filter(({ only }) => only === undefined).map(({ transport }) => transport)
  }

  /** Logs one record: `log(level, message, ...meta)`, `log(level, object)` or `log({ level, message, … })`. Never throws. */
  log(level: string, message: unknown, ...meta: unknown[]): this
  /** Logs one record: `{ level, message, … }`. Never throws. */
  log(info: object): this
  log(...args: unknown[]): this {
    try {
      const [first, ...rest] = args
      if (args.length === 1) this.say(first, this)
      else if (typeof first === 'string' && this.wants(first)) this.pass(infoOfLog(first, rest, this))
    } catch (error) {
      this.lost(error)
    }
    return this
  }

  /** Logs `{ level, message, … }`. Never throws, and always returns true: records wait in queues of their own. */
  override write(info: unknown): boolean {
    try {
      // What is written to the stream is said without the logger's own, as in winston.
      this.say(info, { defaultMeta: null, childMetas: this.childMetas })
    } catch (error) {
      this.lost(error)
    }
    return true
  }

  /** Node's own. */
  override _write(info: unknown, _: unknown, next: (error?: Error | null) => void): void {
    this.write(info)
    next()
  }

  /** Ends all transports: then what was logged is written. */
  override _final(done: (error?: Error | null) => void): void {
    void doneAfter(Promise.all(this.transports.map(ended)), done)
  }

  /** Adds a transport. */
  add(transport: AnyTransport): this {
    if (this.targets.some((target) => target.transport === transport && target.only === undefined)) return this
    this.attach({ transport, only: undefined })
    if (transport.handleExceptions) this.exceptions.handle()
    if (transport.handleRejections) this.rejections.handle()
    return this
  }

  /** Lets a transport go: it writes what it has, and closes. */
  remove(transport: AnyTransport): this {
    for (const target of this.targets.filter((target) => target.transport === transport)) this.detach(target)
    return this
  }

  /** Lets all transports go. */
  clear(): this {
    for (const target of this.targets.toReversed()) this.detach(target)
    return this
  }

  /** Lets all go, and hears of no exceptions any more. `end()` tells when all is written. */
  close(): this {
    this.exceptions.unhandle()
    this.rejections.unhandle()
    this.clear()
    this.emit('close')
    return this
  }

  /** Waits until what was logged so far is written. Never rejects. Transports of others are not waited for. */
  async flush(options?: FlushOptions): Promise<FlushResult> {
    return summed(await Promise.all(this.ownTransports.map((transport) => transport.flush(options))))
  }

  /** The same without the event loop, at most so long. */
  flushSync(deadlineMillis?: number): FlushResult {
    return summed(this.ownTransports.map((transport) => transport.flushSync(deadlineMillis)))
  }

  /** A logger that says `meta` with each record, and is this one otherwise: it has its transports and its level. */
  child(meta: object): this {
    return Object.create(this, { childMetas: { value: [...this.childMetas, meta] } }) as this
  }

  /** Whether any transport writes records of a level. */
  isLevelEnabled(level: string): boolean {
    const number = levelNumber(this.levels, level)
    const own = levelNumber(this.levels, this.level)
    if (number === undefined || own === undefined) return false
    const transports = this.targets.map(({ transport }) => transport)
    if (transports.length === 0) return own >= number
    return transports.some((transport) => (levelNumber(this.levels, transport.level) ?? own) >= number)
  }

  /** Begins to measure a time; `done({ message })` of what it returns logs it as `durationMs`. */
  startTimer(): Profiler {
    return new Profiler(this)
  }

  /** Begins to measure a time under a name, or logs the one that was begun, as `durationMs`. */
  profile(id: string | number, meta?: object): this {
    this.timers.toggle(this, id, meta)
    return this
  }

  /** Whether a record of this level would be written by anybody. */
  wants(level: string): boolean {
    if (this.silent) return false
    const { targets } = this
    for (let i = 0; i < targets.length; i++) if (takesLevel(targets[i]!, level, this.level, this.levels)) return true
    if (targets.length === 0)
      this.tell({ code: 'SLUICE_TRANSPORT_MISSING', message: 'a logger has no transports: give it some' })
    else if (levelNumber(this.levels, level) === undefined) this.tellUnknown(level)
    return this.listenerCount('data') > 0 || targets.some(({ only }) => only !== undefined)
  }

  private say(info: unknown, metas: Metas): void {
    if (typeof info !== 'object' || info === null) return
    const level = readMember(info, 'level') ?? readMember(info, LEVEL)
    const name = typeof level === 'string' ? level : String(level)
    if (this.wants(name)) this.pass(infoOfObject(name, info, metas))
  }

  /** Takes what a call said to the transports. `done` is called when all of them have taken it. */
  pass(said: TransformableInfo | ErrorInfo, done?: () => void): void {
    const { copier, targets } = this
    const copy = said instanceof ErrorInfo ? copier.copyError(said.error, said.over) : copier.copy(said)
    const info = formattedBy(this.format, copy, this.tell)
    if (info === undefined) return done?.()
    let left = targets.length
    const taken = done && (() => void (--left === 0 && done()))
    for (let i = 0; i < targets.length; i++) give(targets[i]!, info, this.tell, taken)
    if (this.listenerCount('data') > 0) this.emit('data', info)
    if (targets.length === 0) done?.()
  }

  /** A record that could not be passed on: an exhausted stack, or no memory. Never throws. */
  lost(error: unknown): void {
    try {
      this.tell({ code: 'SLUICE_EXPORT_FAILED', message: `a record could not be made, and is lost: ${threw(error)}` })
    } catch {
      // the stack is exhausted still
    }
  }

  /** Adds a way out. */
  attach(target: Target): void {
    this.targets.push(target)
    target.transport.on('error', this.onTransportError)
    target.transport.emit('pipe', this)
  }

  /** Takes it off again. */
  detach(target: Target): void {
    const index = this.targets.indexOf(target)
    if (index < 0) return
    this.targets.splice(index, 1)
    const { transport } = target
    if (this.targets.some((other) => other.transport === transport)) return
    transport.removeListener('error', this.onTransportError)
    transport.emit('unpipe', this)
  }

  private get ownTransports(): Flushable[] {
    const all = new Set(this.targets.map(({ transport }) => transport))
    return [...all].filter(isFlushable)
  }

  private readonly onTransportError = (error: unknown): void => {
    if (this.listenerCount('error') > 0) this.emit('error', error)
    else this.tell({ code: 'SLUICE_EXPORT_FAILED', message: `a transport failed: ${threw(error)}` })
  }

  private tellUnknown(level: string): void {
    const names = Object.keys(this.levels).join(', ')
    const message = `there is no level ${JSON.stringify(level)}, and the record is not written; levels are ${names}`
    this.tell({ code: 'SLUICE_LEVEL_UNKNOWN', message })
  }

  private report(problem: Problem): void {
    if (this.onProblem !== undefined) this.onProblem(problem)
    else if (this.listenerCount('warn') > 0) this.emit('warn', new Error(`${problem.code}: ${problem.message}`))
    else stderrLine(`sluice: ${problem.code}: ${problem.message}\n`)
  }
}

/** A transport of this package. */
interface Flushable extends AnyTransport {
  flush(options?: FlushOptions): Promise<FlushResult>
  flushSync(deadlineMillis?: number): FlushResult
}

function isFlushable(transport: AnyTransport): transport is Flushable {
  return transport instanceof Transport && 'flush' in transport && 'flushSync' in transport
}

function listOf<T>(given: T | readonly T[] | undefined): readonly T[] {
  return given === undefined ? [] : Array.isArray(given) ? (given as readonly T[]) : [given as T]
}

/** Ends a transport, and waits until it has written what it has. */
function ended(transport: AnyTransport): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (transport.writableFinished || transport.destroyed) resolve()
  else {
    transport.once('finish', () => resolve())
    transport.once('close', () => resolve())
    transport.once('error', () => resolve())
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
