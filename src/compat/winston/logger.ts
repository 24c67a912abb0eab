import { Writable } from 'node:stream'
import { define } from '../../options/define-member.ts'
import { levelChangeEventName, levelChangeRecord } from '../../logger/level-change-record.ts'
import type { LevelChangeEvent } from '../../levels/level-layer.ts'
import { standardSeverities } from '../../record/severity.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import type { FlushOptions, FlushResult } from '../../logger/types.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { areDirectivesSet, DirectiveLevel, type DirectedLogger } from '../shared/directive-level.ts'
import { RecordSource } from '../shared/record-source.ts'
import { directedInfos } from './directed-infos.ts'
import { ErrorInfo, infoOfLogCall, infoOfObject, type MetaMembers } from './call-info.ts'
import { UncaughtHandler } from './uncaught-handler.ts'
import { json } from './formats/json.ts'
import { LEVEL, type Format, type TransformableInfo } from './info.ts'
import { levelConfigs, levelNumber, severityOfLevel, type LevelNumbers } from './levels.ts'
import { loggerSettings, type LoggerOptions } from './logger-options.ts'
import { Profiler, Timers } from './profiler.ts'
import { InfoCopier, memberOrThrownMarker } from './safe-info.ts'
import { TargetList } from './target-list.ts'
import type { AnyTransport } from './targets.ts'
import { callWhenSettled, applyFormat } from './transports/transport.ts'
import { LoggerDiagnostics } from './logger-diagnostics.ts'

/** A logger with winston's API. Its transports can be those of this package, which have bounded queues, and winston's. */
export class Logger extends Writable {
  /** The minimum level that is logged, for transports without a level of their own. It may be set at any time. */
  level!: string
  /** Format that converts records to text, before the formats of transports. */
  format!: Format
  /** Members that are added to each record; null for none. */
  defaultMeta!: object | null
  /** Whether logging is disabled. */
  silent!: boolean
  /**
   * Whether an uncaught exception or unhandled rejection that is handled ends the process after it is written. A function decides for
   * each error.
   */
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
  readonly hidesBytes = (value: object): boolean => this.copier.isSecretByteList(value)
  private readonly timers = new Timers()
  private copier!: InfoCopier
  private readonly directiveLevel: DirectiveLevel
  private currentLevels: LevelNumbers = levelConfigs.npm.levels

  /** @throws ConfigurationError with everything that is invalid in the options. */
  constructor(options: LoggerOptions = {}) {
    super(withoutPrototype({ objectMode: true, autoDestroy: false }))
    this.diagnostics = new LoggerDiagnostics(this)
    this.reportDiagnostic = this.diagnostics.reportDiagnostic
    this.directiveLevel = new DirectiveLevel('', directedLogger(this))
    this.targets = new TargetList(this, (error) => this.diagnostics.reportTransportError(error))
    this.exceptions = new UncaughtHandler(this, this.targets, 'exception')
    this.rejections = new UncaughtHandler(this, this.targets, 'rejection')
    this.configure(options)
    this.directiveLevel.start(directedLogger(this), Object.keys(this.levels), this.reportDiagnostic)
  }

  /**
   * Sets the options again. Existing transports are removed. Omitted options get their defaults, except `format` and `levels`, which are
   * kept.
   *
   * @throws ConfigurationError with everything that is invalid. In that case nothing is changed.
   */
  configure(given: LoggerOptions = {}): void {
    const caller = this.copier === undefined ? 'createLogger' : 'configure'
    const { options, rules, hasCustomRules } = loggerSettings(given, this.levels, caller)
    this.clear()
    this.exceptions.unhandle()
    this.rejections.unhandle()
    this.silent = options.silent ?? false
    this.format = options.format ?? this.format ?? json()
    this.defaultMeta = options.defaultMeta ?? null
    this.levels = options.levels ?? this.levels
    this.level = options.level ?? 'info'
    this.exitOnError = options.exitOnError ?? true
    this.diagnostics.onDiagnostic = options.onDiagnostic
    this.copier = new InfoCopier(rules, hasCustomRules)
    for (const transport of listOf(options.transports)) this.add(transport)
    if (options.exceptionHandlers !== undefined) this.exceptions.handle(...listOf(options.exceptionHandlers))
    if (options.rejectionHandlers !== undefined) this.rejections.handle(...listOf(options.rejectionHandlers))
  }

  /** Levels by name. Lower numbers are more severe. They may be set at any time. */
  get levels(): LevelNumbers {
    return this.currentLevels
  }

  set levels(levels: LevelNumbers) {
    this.currentLevels = levels
    this.directiveLevel.addLevelNames(Object.keys(levels))
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
      else if (typeof first === 'string' && this.wants(first)) this.pass(infoOfLogCall(first, rest, this))
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

  /** Ends the transports that receive all records, and waits until everything logged so far is written. */
  override _final(done: (error?: Error | null) => void): void {
    void callWhenSettled(this.targets.end(), done)
  }

  /** Adds a transport. With `handleExceptions` or `handleRejections`, the logger also starts to handle these errors. */
  add(transport: AnyTransport): this {
    if (!this.targets.add(transport)) return this
    if (member(transport, 'handleExceptions')) this.exceptions.handle()
    if (member(transport, 'handleRejections')) this.rejections.handle()
    return this
  }

  /** Removes a transport. One of this package still writes everything that is queued. */
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
   * @param timeoutMillis - maximum time for each transport in milliseconds; default: `exitTimeoutMillis` of the profile
   */
  flushSync(timeoutMillis?: number): FlushResult {
    return this.targets.flushSync(timeoutMillis)
  }

  /** Creates a logger that adds `meta` to each record, and shares everything else with this one, including transports and level. */
  child(meta: object): this {
    const child = Object.create(this) as this
    define(child, 'childMetas', { value: [...this.childMetas, meta] })
    return child
  }

  /**
   * Returns whether the minimum level of any transport includes a level. The level of the logger is used for transports without a level,
   * and if there are no transports. As in winston, `silent` is ignored.
   */
  isLevelEnabled(level: string): boolean {
    const number = levelNumber(this.levels, level)
    const loggerLevel = levelNumber(this.levels, this.level)
    if (number === undefined || loggerLevel === undefined) return false
    const isDirected = this.isEnabledByDirectives(level)
    if (this.targets.isEmpty) return isDirected || loggerLevel >= number
    return this.targets.allTransports.some((transport) => {
      const ownNumber = levelNumber(this.levels, member(transport, 'level'))
      return ownNumber === undefined ? isDirected || loggerLevel >= number : ownNumber >= number
    })
  }

  /** Returns whether level directives include a level. They apply to transports of this package that have no level of their own. */
  private isEnabledByDirectives(level: string): boolean {
    if (!areDirectivesSet()) return false
    const severity = severityOfLevel(level, this.levels)
    if (!this.directiveLevel.mayInclude(severity)) return false
    const source = new RecordSource({
      bound: () => this.copier.copy(infoOfObject(level, {}, this) as TransformableInfo),
      redacted: (key, value) => this.redacted(level, key, value),
    })
    return this.directiveLevel.includes(severity, source)
  }

  /** Returns the value of a member as the logger would write it. */
  redacted(level: string, key: string, value: unknown): unknown {
    const info = infoOfObject(level, { [key]: value }, { ...noMetas, hidesBytes: this.hidesBytes })
    return this.copier.copy(info as TransformableInfo)[key]
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

  /**
   * Returns whether a transport or a listener of `data` may receive a record of this level. If no transport does, a missing transport
   * or an unknown level is reported.
   */
  wants(level: string): boolean {
    if (this.silent) return false
    const { targets } = this
    if (targets.acceptsLevel(level, this.level, this.levels) || this.isEnabledByDirectives(level)) return true
    if (targets.isEmpty) this.diagnostics.reportMissingTransport()
    else if (levelNumber(this.levels, level) === undefined) this.diagnostics.reportUnknownLevel(level, this.levels)
    return this.listenerCount('data') > 0 || targets.hasUncaughtTargets
  }

  private logInfo(info: unknown, metas: MetaMembers): void {
    if (typeof info !== 'object' || info === null) return
    const level = memberOrThrownMarker(info, 'level') ?? memberOrThrownMarker(info, LEVEL)
    const name = typeof level === 'string' ? level : String(level)
    if (this.wants(name)) this.pass(infoOfObject(name, info, metas))
  }

  /**
   * Copies and formats the info of a call, and passes it to the transports. `done` is called after each of them has accepted it or
   * failed. It is called at once if the logger has no transports or a format omits the info.
   */
  pass(call: TransformableInfo | ErrorInfo, done?: () => void, isDirected = false): void {
    const { copier, targets } = this
    const copy = call instanceof ErrorInfo ? copier.copyError(call.error, call.over) : copier.copy(call)
    const info = applyFormat(this.format, copy, this.reportDiagnostic)
    if (info === undefined) return done?.()
    if (isDirected || (areDirectivesSet() && this.isEnabledByDirectives(String(info[LEVEL])))) directedInfos.add(info)
    targets.passToAll(info, this.reportDiagnostic, done)
    if (this.listenerCount('data') > 0) this.emit('data', info)
    if (targets.isEmpty) done?.()
  }

  /** Reports a record that could not be processed, for example because the stack was exhausted. Never throws. */
  lost(error: unknown): void {
    this.diagnostics.reportLostRecord(error)
  }
}

function directedLogger(logger: Logger): DirectedLogger {
  return {
    level: () => logger.level,
    report: (event) => reportLevelChange(logger, event),
    severity: (level) =>
      levelNumber(logger.levels, level) === undefined ? undefined : severityOfLevel(level, logger.levels),
  }
}

const noMetas = { defaultMeta: null, childMetas: [] }

/** Returns the value of an option that is one transport or several as an array. */
function listOf<T>(given: T | readonly T[] | undefined): readonly T[] {
  return given === undefined ? [] : Array.isArray(given) ? (given as readonly T[]) : [given as T]
}

/** Writes the record of a change of level directives, whatever the level of the logger. Returns whether it was written. */
function reportLevelChange(logger: Logger, event: LevelChangeEvent): boolean {
  if (logger.silent || logger.writableEnded || logger.transports.length === 0) return false
  const names = Object.keys(logger.levels).filter(
    (name) => severityOfLevel(name, logger.levels) >= standardSeverities.info,
  )
  const level = names.includes('info') ? 'info' : names.at(-1)
  if (level === undefined) return false
  const { message, attributes } = levelChangeRecord(event, (key, value) => logger.redacted(level, key, value))
  logger.pass(infoOfObject(level, { message, event: levelChangeEventName, ...attributes }, logger), undefined, true)
  return true
}
