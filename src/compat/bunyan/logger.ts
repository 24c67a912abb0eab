import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'
import { define } from '../../options/define-member.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { Destination } from '../shared/destination/destination.ts'
import { lineStream, standardOutput } from '../shared/destination/standard-destination.ts'
import { markSeen } from '../shared/cycles.ts'
import { JsonText } from '../shared/json-text.ts'
import type { LogRecords } from '../shared/log-records.ts'
import { copyMembers } from '../shared/set-own.ts'
import { rulesOf } from '../shared/rules.ts'
import { acceptsSeverity } from '../shared/severity-stream.ts'
import { hookFailureReporter } from '../shared/hook-failures.ts'
import type { Instance, Parts } from './instance.ts'
import { listenForErrors, type Emitter } from '../../options/listen-for-errors.ts'
import { levelFromName, resolveLevel, type LogLevel } from './levels.ts'
import { logMethod, type LogMethod } from './log-method.ts'
import { openStream, type AnyStream, type OpenStream } from './open-stream.ts'
import { optionProblems, streamProblems } from './option-problems.ts'
import { serialize } from './record.ts'
import type { BunyanRecord } from './instance.ts'
import type { Serializers } from './std-serializers.ts'
import type { ChildOptions, LoggerOptions, Stream } from './types.ts'
import { lineOf, writeRecord } from './write.ts'

/** Options that configure a logger, and are not fields of its records. */
const settings = ['stream', 'level', 'streams', 'serializers', 'src']
const ownSettings = ['redact', 'exporter', 'onDiagnostic']
/** Fields that become part of the scope and resource of exported records, rather than attributes. */
const identity = ['name', 'hostname', 'pid']

/** Returns bunyan's marker for a thrown error. */
function thrownMarker(error: unknown): string {
  try {
    return `[Throws: ${error ? (error as Error).message : '?'}]`
  } catch {
    return '[Throws: ?]'
  }
}

/** A logger with bunyan's interface, without exporters. */
export class Logger extends EventEmitter implements Instance {
  /** Internal state that is shared with its children. */
  declare readonly parts: Parts
  /** Logs at level 10. */
  declare trace: LogMethod
  /** Logs at level 20. */
  declare debug: LogMethod
  /** Logs at level 30. */
  declare info: LogMethod
  /** Logs at level 40. */
  declare warn: LogMethod
  /** Logs at level 50. */
  declare error: LogMethod
  /** Logs at level 60. */
  declare fatal: LogMethod
  /** The lowest level of its streams. */
  _level: number = Infinity
  /** Its streams. */
  streams: OpenStream[] = []
  /** Functions that return what is logged for a field, by field name; null if there are none. */
  serializers: Serializers | null = null
  /** Whether records contain the source location of the log call. */
  src: boolean = false
  /** Fields of every record. */
  fields: Record<string, unknown> = {}
  private exportedFields: Record<string, unknown> | undefined

  /** @throws ConfigurationError for invalid options, with all problems at once. */
  constructor(options: LoggerOptions | Logger, childOptions?: ChildOptions, simple?: boolean) {
    super()
    if (childOptions === undefined) this.initializeRoot(options as LoggerOptions)
    else if (!(options instanceof Logger)) throwIfInvalid([twoArguments], 'createLogger')
    else if (simple === true) this.inherit(options, childOptions)
    else this.initializeChild(options, childOptions)
  }

  /** Creates the emitter of records for exporters. */
  protected openRecords(_options: LoggerOptions): LogRecords | undefined {
    return undefined
  }

  /** Creates a child logger with more fields and, unless `simple` is true, its own streams, serializers and level. */
  child(options: ChildOptions = {}, simple?: boolean): this {
    const Constructor = this.constructor as new (...args: unknown[]) => Logger
    return new Constructor(this, options ?? {}, simple) as this
  }

  /**
   * Adds a stream.
   *
   * @param defaultLevel - level of a stream that sets none; default: info
   */
  addStream(given: Stream, defaultLevel?: LogLevel): void {
    const problems: ConfigurationProblem[] = []
    const stream = ownCopy(given)
    streamProblems(stream, 'stream', problems)
    throwIfInvalid(problems, 'addStream')
    this.open(stream, defaultLevel)
  }

  /** Adds serializers, or replaces those for the same fields. */
  addSerializers(serializers: Serializers): void {
    throwIfInvalid(optionProblems(ownCopy({ name: 'any', serializers }), false), 'addSerializers')
    this.serializers = { ...this.serializers, ...serializers }
  }

  /** Returns the lowest level of its streams. */
  level(): number
  /** Sets the minimum level of all its streams. */
  level(value: LogLevel): void
  level(value?: LogLevel): number | void {
    if (value === undefined) return this._level
    const level = resolveLevel(value)
    for (const stream of this.streams) stream.level = level
    this._level = level
    return undefined
  }

  /** Returns the minimum levels of all streams, in order. */
  levels(): number[]
  /**
   * Returns the minimum level of one stream, by index or name.
   *
   * @throws Error if there is no such stream.
   */
  levels(name: number | string): number
  /**
   * Sets the minimum level of one stream, by index or name.
   *
   * @throws Error if there is no such stream.
   */
  levels(name: number | string, value: LogLevel): void
  levels(name?: number | string, value?: LogLevel): number[] | number | void {
    if (name === undefined) return this.streams.map(({ level }) => level)
    const stream = typeof name === 'number' ? this.streams[name] : this.streams.find((each) => each.name === name)
    if (stream === undefined) {
      throw new Error(typeof name === 'number' ? `invalid stream index: ${name}` : `no stream with name "${name}"`)
    }
    if (value === undefined) return stream.level
    const level = resolveLevel(value)
    stream.level = level
    this._level = Math.min(this._level, level)
    return undefined
  }

  /** Opens the files of its streams again, for example after a log rotation. */
  reopenFileStreams(): void {
    for (const each of this.streams) {
      if (each.type !== 'file') continue
      if (each.stream instanceof Destination) each.stream.reopen()
      else if (each.path !== undefined) {
        member(each.stream, 'end')?.call(each.stream)
        each.stream = new Destination({ dest: each.path })
        this.reemit(each)
      }
    }
  }

  /** Waits until logged records are written to standard output, files and exporters. Streams passed by the user are not awaited. */
  async flush(): Promise<void> {
    const streams = this.streams.map(({ stream }) => lineStream<AnyStream>(stream)).filter(acceptsSeverity)
    await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.flush!(() => done()))))
    await this.parts.records?.flush()
  }

  /**
   * Writes a record to the streams that accept its level, and returns the line.
   *
   * @param noemit - returns the line without writing it
   */
  _emit(record: BunyanRecord, noemit = false, level: number = Number(record.level)): string | undefined {
    return noemit ? lineOf(this, record) : writeRecord(this, record, level)
  }

  /** Returns the logger's fields that exporters receive with each record. */
  attributes(): Record<string, unknown> {
    return (this.exportedFields ??= Object.fromEntries(
      Object.entries(this.fields).filter(([key]) => !identity.includes(key)),
    ))
  }

  private initializeRoot(given: LoggerOptions): void {
    // Copied, so that each option is read once and members of Object.prototype are ignored.
    const options = withOwnStreams(ownCopy(given))
    const problems = optionProblems(options, false)
    const rules = problems.length > 0 && !options ? undefined : rulesOf(options.redact, 'redact', problems)
    throwIfInvalid(problems, 'createLogger')
    const hookFailures = hookFailureReporter(options.onDiagnostic, 'SLUICE_BUNYAN_HOOK_THREW').redactedBy(
      rules?.patterns,
    )
    const json = new JsonText(rules, { cycles: markSeen, thrownMarker })
    // Not enumerable, because users inspect loggers.
    define(this, 'parts', { value: { json, hookFailures, records: this.openRecords(options) } })
    const { stream, streams, level } = options
    if (stream === undefined && streams === undefined) this.open({ stream: standardOutput() }, level)
    this.configure(options, [...settings, ...ownSettings])
    // Without a stream, records go only to exporters.
    if (this.parts.records !== undefined && this.streams.length === 0) this._level = resolveLevel(level ?? 'info')
  }

  /** Initializes a child that differs from its parent only in fields. */
  private inherit(parent: Logger, fields: object): void {
    define(this, 'parts', { value: parent.parts })
    this._level = parent._level
    this.streams = parent.streams
    this.serializers = parent.serializers
    this.src = parent.src
    this.fields = copyMembers({ ...parent.fields }, fields, parent.parts.hookFailures)
  }

  private initializeChild(parent: Logger, given: ChildOptions): void {
    // The getter of a field may throw.
    const options = withOwnStreams(copyMembers(ownCopy({}), given, parent.parts.hookFailures) as ChildOptions)
    throwIfInvalid(optionProblems(options, true), 'child')
    this.inherit(parent, {})
    this.streams = parent.streams.map((each) => ownCopy({ ...each, closeOnExit: false }))
    this.serializers = parent.serializers === null ? null : { ...parent.serializers }
    if (options.level) this.level(options.level)
    this.configure(options, settings)
  }

  private configure(options: object, hidden: readonly string[]): void {
    const { stream, streams, level, serializers, src } = options as Partial<LoggerOptions>
    if (stream !== undefined) this.open({ type: 'stream', stream }, level)
    for (const each of streams ?? []) this.open(each, level)
    if (serializers) this.serializers = { ...this.serializers, ...serializers }
    if (src) this.src = true
    const fields: Record<string, unknown> = ownCopy(
      Object.fromEntries(Object.entries(options).filter(([key]) => !hidden.includes(key))),
    )
    if (this.serializers !== null) serialize(this, fields)
    if (!fields['hostname'] && !ownCopy(this.fields)['hostname']) fields['hostname'] = hostname()
    if (!fields['pid']) fields['pid'] = process.pid
    this.fields = { ...this.fields, ...fields }
  }

  private open(given: Stream, defaultLevel: LogLevel | undefined): void {
    const stream = openStream(given, defaultLevel)
    this._level = Math.min(this._level, stream.level)
    if (stream.reemitErrorEvents === true) this.reemit(stream)
    this.streams.push(stream)
  }

  private reemit(each: OpenStream): void {
    const stream = lineStream<AnyStream>(each.stream)
    if (typeof member(stream, 'on') !== 'function') return
    listenForErrors(stream as Emitter, (error) => {
      if (this.listenerCount('error') > 0) this.emit('error', error, each)
      else this.parts.hookFailures.reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: error.message })
    })
  }
}

/** Copies the options of each stream too, so that they are read once. */
function withOwnStreams<T extends Partial<LoggerOptions>>(options: T): T {
  if (Array.isArray(options?.streams)) options.streams = options.streams.map((stream) => ownCopy(stream))
  return options
}

const twoArguments: ConfigurationProblem = {
  code: 'SLUICE_OPTION_TYPE',
  path: '',
  message: 'invalid Logger creation: do not pass a second arg',
}

function throwIfInvalid(problems: readonly ConfigurationProblem[], caller: string): void {
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
}

for (const [name, level] of Object.entries(levelFromName)) {
  define(Logger.prototype, name, { value: logMethod(level), writable: true, configurable: true })
}
