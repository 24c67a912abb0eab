import { Writable } from 'node:stream'
import { define } from '../../options/define-member.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { ErrorInfo, infoOfLog, infoOfObject, type MetaMembers } from './call-info.ts'
import { UncaughtHandler } from './uncaught-handler.ts'
import { json } from './formats/json.ts'
import { LEVEL, type Format, type TransformableInfo } from './info.ts'
import { levelConfigs, levelNumber, type LevelNumbers } from './levels.ts'
import { loggerSettings, type LoggerOptions } from './logger-options.ts'
import { Profiler, Timers } from './profiler.ts'
import { InfoCopier, readMember } from './safe-info.ts'
import { TargetList } from './target-list.ts'
import type { AnyTransport } from './targets.ts'
import { callWhenSettled, formattedBy } from './transports/transport.ts'
import { LoggerDiagnostics } from './logger-diagnostics.ts'

/** A logger with winston's API, whose transports write through the queues of this package. */
export class Logger extends Writable {
  /** The minimum level that is logged, for transports without a level of their own. It may be set at any time. */
  level!: string
  /** Levels by name. Lower numbers are more severe. */
  levels!: LevelNumbers
  /** Format that converts records to text, before the formats of transports. */
  format!: Format
  /** Members that are added to each record; null for none. */
  defaultMeta!: object | null
  /** Whether logging is disabled. */
  silent!: boolean
  /** Whether an uncaught exception ends the process after it is written. A function decides for each error. */
  exitOnError!: boolean | ((error: unknown) => boolean)
  /** Handles uncaught exceptions. */
  readonly exceptions: UncaughtHandler
  /** Handles unhandled rejections. */
  readonly rejections: UncaughtHandler
  /** Reports a diagnostic. */
  readonly reportDiagnostic: OnDiagnostic
  private readonly targets: TargetList
  private readonly diagnostics: LoggerDiagnostics
  /** Members that child loggers add, outermost first. */
  readonly childMetas: readonly object[] = []
  /** Returns whether an object is a list of bytes that must be redacted. */
  readonly hidesBytes = (value: object): boolean => this.copier.hides(value)
  private readonly timers = new Timers()
  private copier!: InfoCopier

  /** @throws ConfigurationError with everything that is invalid in the options. */
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
   * Sets all options again. Existing transports are removed.
   *
   * @throws ConfigurationError with everything that is invalid. In that case nothing is changed.
   */
  configure(given: LoggerOptions = {}): void {
    const known = this.levels ?? levelConfigs.npm.levels
    const caller = this.levels === undefined ? 'createLogger' : 'configure'
    const { options, rules, hasRules } = loggerSettings(given, known, caller)
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

  /** The transports that receive all records. */
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
      if (args.length === 1) this.logInfo(first, this)
      else if (typeof first === 'string' && this.wants(first)) this.pass(infoOfLog(first, rest, this))
    } catch (error) {
      this.lost(error)
    }
    return this
  }

  /** Logs `{ level, message, … }`. Never throws, and always returns true, because records are queued by the transports. */
  override write(info: unknown): boolean {
    try {
      // Infos that are written to the stream do not get `defaultMeta`, as in winston.
      this.logInfo(info, { defaultMeta: null, childMetas: this.childMetas, hidesBytes: this.hidesBytes })
    } catch (error) {
      this.lost(error)
    }
    return true
  }

  /** Implements `Writable`. */
  override _write(info: unknown, _: unknown, next: (error?: Error | null) => void): void {
    this.write(info)
    next()
  }

  /** Ends all transports, and waits until everything logged so far is written. */
  override _final(done: (error?: Error | null) => void): void {
    void callWhenSettled(this.targets.end(), done)
  }

  /** Adds a transport. */
  add(transport: AnyTransport): this {
    if (!this.targets.add(transport)) return this
    if (member(transport, 'handleExceptions')) this.exceptions.handle()
    if (member(transport, 'handleRejections')) this.rejections.handle()
    return this
  }

  /** Removes a transport, which writes everything that is queued, and closes. */
  remove(transport: AnyTransport): this {
    this.targets.remove((target) => target.transport === transport)
    return this
  }

  /** Removes all transports. */
  clear(): this {
    this.targets.remove(() => true)
    return this
  }

  /**
   * Removes all transports, and stops handling uncaught exceptions and unhandled rejections. To wait until everything is written, use
   * `end()`.
   */
  close(): this {
    this.exceptions.unhandle()
    this.rejections.unhandle()
    this.clear()
    this.emit('close')
    return this
  }

  /** Waits until everything logged so far is written by transports of this package. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult> {
    return this.targets.flush(options)
  }

  /**
   * Writes everything logged so far without the event loop.
   *
   * @param deadlineMillis - maximum time in milliseconds
   */
  flushSync(deadlineMillis?: number): FlushResult {
    return this.targets.flushSync(deadlineMillis)
  }

  /** Creates a logger that adds `meta` to each record, and shares everything else with this one, including transports and level. */
  child(meta: object): this {
    const child = Object.create(this) as this
    define(child, 'childMetas', { value: [...this.childMetas, meta] })
    return child
  }

  /** Returns whether any transport writes records of a level. */
  isLevelEnabled(level: string): boolean {
    const number = levelNumber(this.levels, level)
    const own = levelNumber(this.levels, this.level)
    if (number === undefined || own === undefined) return false
    if (this.targets.isEmpty) return own >= number
    return this.targets.all.some((transport) => (levelNumber(this.levels, member(transport, 'level')) ?? own) >= number)
  }

  /** Starts a timer. Its method `done({ message })` logs the elapsed time as `durationMs`. */
  startTimer(): Profiler {
    return new Profiler(this)
  }

  /** Starts a timer under a name, or logs the elapsed time of the one that was started, as `durationMs`. */
  profile(id: string | number, meta?: object): this {
    this.timers.toggle(this, id, meta)
    return this
  }

  /** Returns whether a transport or a listener would receive a record of this level. */
  wants(level: string): boolean {
    if (this.silent) return false
    const { targets } = this
    if (targets.takes(level, this.level, this.levels)) return true
    if (targets.isEmpty) this.diagnostics.transportMissing()
    else if (levelNumber(this.levels, level) === undefined) this.diagnostics.levelUnknown(level, this.levels)
    return this.listenerCount('data') > 0 || targets.hasHandlers
  }

  private logInfo(info: unknown, metas: MetaMembers): void {
    if (typeof info !== 'object' || info === null) return
    const level = readMember(info, 'level') ?? readMember(info, LEVEL)
    const name = typeof level === 'string' ? level : String(level)
    if (this.wants(name)) this.pass(infoOfObject(name, info, metas))
  }

  /** Copies and formats the info of a call, and passes it to the transports. `done` is called after all of them accepted it. */
  pass(call: TransformableInfo | ErrorInfo, done?: () => void): void {
    const { copier, targets } = this
    const copy = call instanceof ErrorInfo ? copier.copyError(call.error, call.over) : copier.copy(call)
    const info = formattedBy(this.format, copy, this.reportDiagnostic)
    if (info === undefined) return done?.()
    targets.give(info, this.reportDiagnostic, done)
    if (this.listenerCount('data') > 0) this.emit('data', info)
    if (targets.isEmpty) done?.()
  }

  /** Reports a record that could not be processed, because the stack or the memory was exhausted. Never throws. */
  lost(error: unknown): void {
    this.diagnostics.lost(error)
  }
}

function listOf<T>(given: T | readonly T[] | undefined): readonly T[] {
  return given === undefined ? [] : Array.isArray(given) ? (given as readonly T[]) : [given as T]
}
