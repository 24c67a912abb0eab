import { Writable } from 'node:stream'
import { define } from '../../options/define-member.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { ErrorInfo, infoOfLog, infoOfObject, type Metas } from './call-info.ts'
import { UncaughtHandler } from './uncaught-handler.ts'
import { json } from './formats/json.ts'
import { LEVEL, type Format, type TransformableInfo } from './info.ts'
import { levelConfigs, levelNumber, type LevelNumbers } from './levels.ts'
import { loggerSettings, type LoggerOptions } from './logger-options.ts'
import { Profiler, Timers } from './profiler.ts'
import { InfoCopier, readMember } from './safe-info.ts'
import { TargetList } from './target-list.ts'
import type { AnyTransport } from './targets.ts'
import { doneAfter, formattedBy } from './transports/transport.ts'
import { LoggerDiagnostics } from './logger-diagnostics.ts'

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
  readonly exceptions: UncaughtHandler
  /** Writes rejections that nobody handled. */
  readonly rejections: UncaughtHandler
  /** Tells trouble. */
  readonly reportDiagnostic: OnDiagnostic
  private readonly targets: TargetList
  private readonly diagnostics: LoggerDiagnostics
  /** What child loggers add, the outermost first. */
  readonly childMetas: readonly object[] = []
  /** Whether an object is a list of bytes that rules redact. */
  readonly hidesBytes = (value: object): boolean => this.copier.hides(value)
  private readonly timers = new Timers()
  private copier!: InfoCopier

  /** @throws ConfigurationError with everything that is wrong in the options. */
  constructor(options: LoggerOptions = {}) {
    super(ownCopy({ objectMode: true, autoDestroy: false }))
    this.diagnostics = new LoggerDiagnostics(this)
    this.reportDiagnostic = this.diagnostics.reportDiagnostic
    this.targets = new TargetList(this, (error) => this.diagnostics.transportFailed(error))
    this.exceptions = new UncaughtHandler(this, this.targets, 'exception')
    this.rejections = new UncaughtHandler(this, this.targets, 'rejection')
    this.configure(options)
  }

  /**
   * Sets all options anew; transports that were there are let go.
   *
   * @throws ConfigurationError with everything that is wrong; then nothing has changed.
   */
  configure(given: LoggerOptions = {}): void {
    const known = this.levels ?? levelConfigs.npm.levels
    const { options, rules, hasRules } = loggerSettings(given, known)
    this.clear()
    this.exceptions.unhandle()
    this.rejections.unhandle()
    this.silent = options.silent ?? false
    this.format = options.format ?? this.format ?? json()
    this.defaultMeta = options.defaultMeta ?? null
    this.levels = options.levels ?? known
    this.level = options.level ?? 'info'
    this.exitOnError = options.exitOnError ?? true
    this.diagnostics.onDiagnostic = options.onDiagnostic
    this.copier = new InfoCopier(rules, hasRules)
    for (const transport of listOf(options.transports)) this.add(transport)
    if (options.exceptionHandlers !== undefined) this.exceptions.handle(...listOf(options.exceptionHandlers))
    if (options.rejectionHandlers !== undefined) this.rejections.handle(...listOf(options.rejectionHandlers))
  }

  /** Where records go. */
  get transports(): AnyTransport[] {
    return this.targets.transports
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
      this.say(info, { defaultMeta: null, childMetas: this.childMetas, hidesBytes: this.hidesBytes })
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
    void doneAfter(this.targets.end(), done)
  }

  /** Adds a transport. */
  add(transport: AnyTransport): this {
    if (!this.targets.add(transport)) return this
    if (member(transport, 'handleExceptions')) this.exceptions.handle()
    if (member(transport, 'handleRejections')) this.rejections.handle()
    return this
  }

  /** Lets a transport go: it writes what it has, and closes. */
  remove(transport: AnyTransport): this {
    this.targets.remove((target) => target.transport === transport)
    return this
  }

  /** Lets all transports go. */
  clear(): this {
    this.targets.remove(() => true)
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
  flush(options?: FlushOptions): Promise<FlushResult> {
    return this.targets.flush(options)
  }

  /** The same without the event loop, at most so long. */
  flushSync(deadlineMillis?: number): FlushResult {
    return this.targets.flushSync(deadlineMillis)
  }

  /** A logger that says `meta` with each record, and is this one otherwise: it has its transports and its level. */
  child(meta: object): this {
    const child = Object.create(this) as this
    define(child, 'childMetas', { value: [...this.childMetas, meta] })
    return child
  }

  /** Whether any transport writes records of a level. */
  isLevelEnabled(level: string): boolean {
    const number = levelNumber(this.levels, level)
    const own = levelNumber(this.levels, this.level)
    if (number === undefined || own === undefined) return false
    if (this.targets.isEmpty) return own >= number
    return this.targets.all.some((transport) => (levelNumber(this.levels, member(transport, 'level')) ?? own) >= number)
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
    if (targets.takes(level, this.level, this.levels)) return true
    if (targets.isEmpty) this.diagnostics.transportMissing()
    else if (levelNumber(this.levels, level) === undefined) this.diagnostics.levelUnknown(level, this.levels)
    return this.listenerCount('data') > 0 || targets.hasHandlers
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
    const info = formattedBy(this.format, copy, this.reportDiagnostic)
    if (info === undefined) return done?.()
    targets.give(info, this.reportDiagnostic, done)
    if (this.listenerCount('data') > 0) this.emit('data', info)
    if (targets.isEmpty) done?.()
  }

  /** A record that could not be passed on: an exhausted stack, or no memory. Never throws. */
  lost(error: unknown): void {
    this.diagnostics.lost(error)
  }
}

function listOf<T>(given: T | readonly T[] | undefined): readonly T[] {
  return given === undefined ? [] : Array.isArray(given) ? (given as readonly T[]) : [given as T]
}
