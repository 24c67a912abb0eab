import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'
import { define } from '../../options/define-member.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { Destination } from '../shared/destination/destination.ts'
import { standardDestinationOrSelf, standardOutput } from '../shared/destination/standard-destination.ts'
import { createRepetitionReplacer } from '../shared/cycles.ts'
import { JsonWriter } from '../shared/json-text.ts'
import type { ClosableRecordEmitter } from '../shared/log-records.ts'
import { copyMembers } from '../shared/copy-members.ts'
import { compileRedactOption } from '../shared/rules.ts'
import { isStreamOfThisPackage } from '../shared/severity-stream.ts'
import { createHookFailureReporter } from '../shared/hook-failures.ts'
import type { Instance, SharedState } from './instance.ts'
import { listenForErrors, type ErrorEmitter } from '../../options/listen-for-errors.ts'
import { levelFromName, resolveLevel, type LogLevel } from './levels.ts'
import { createLogMethod, type LogMethod } from './log-method.ts'
import { openStream, type AnyStream, type OpenStream } from './open-stream.ts'
import { optionProblems, addStreamProblems } from './option-problems.ts'
import { serialize } from './record.ts'
import type { BunyanRecord } from './instance.ts'
import type { Serializers } from './std-serializers.ts'
import type { ChildOptions, LoggerOptions, Stream } from './types.ts'
import { lineOf, writeRecord } from './write.ts'

/** Options of bunyan that configure a logger, and are not fields of its records. */
const settingNames = ['stream', 'level', 'streams', 'serializers', 'src']
/** Options that this package adds. Children do not have them, so there they are fields. */
const addedSettingNames = ['redact', 'exporter', 'onDiagnostic']
/** Fields that become part of the scope and resource of exported records, rather than attributes. */
const identityFields = ['name', 'hostname', 'pid']

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
  declare readonly parts: SharedState
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
  /**
   * Records below this level are skipped. It is the lowest level of the streams; for a logger with only exporters, it is the option `level`.
   * As in bunyan, it does not rise when `levels()` raises the level of a stream.
   */
  _level: number = Infinity
  /** Its streams. */
  streams: OpenStream[] = []
  /** Functions that return what is logged for a field, by field name; null if there are none. */
  serializers: Serializers | null = null
  /** Whether records contain the source location of the log call. */
  src: boolean = false
  /** Fields of every record. */
  fields: Record<string, unknown> = {}
  /** The result of `attributes()`, after the first call. */
  private exportedFields: Record<string, unknown> | undefined

  /**
   * Creates a root logger from options, or a child from its parent and `childOptions`.
   *
   * @param simple - whether `childOptions` contains only fields
   * @throws ConfigurationError for invalid options, with all problems at once.
   */
  constructor(options: LoggerOptions | Logger, childOptions?: ChildOptions, simple?: boolean) {
    super()
    if (childOptions === undefined) this.initializeRoot(options as LoggerOptions)
    else if (!(options instanceof Logger)) throwIfInvalid([unexpectedArgument], 'createLogger')
    else if (simple === true) this.inherit(options, childOptions)
    else this.initializeChild(options, childOptions)
  }

  /** Creates the emitter that passes records to exporters; undefined without exporters, which this base class does not support. */
  protected openRecords(_options: LoggerOptions): ClosableRecordEmitter | undefined {
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
  addStream(streamOptions: Stream, defaultLevel?: LogLevel): void {
    const problems: ConfigurationProblem[] = []
    const copiedOptions = withoutPrototype(streamOptions)
    addStreamProblems(copiedOptions, 'stream', problems)
    throwIfInvalid(problems, 'addStream')
    this.open(copiedOptions, defaultLevel)
  }

  /** Adds serializers, or replaces those for the same fields. */
  addSerializers(serializers: Serializers): void {
    // A name, because `optionProblems` requires one.
    throwIfInvalid(optionProblems(withoutPrototype({ name: 'any', serializers }), false), 'addSerializers')
    this.serializers = { ...this.serializers, ...serializers }
  }

  /** Returns the level below which records are skipped. */
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
        this.reemitErrors(each)
      }
    }
  }

  /** Waits until logged records are written to standard output, files and exporters. Streams of other code are not awaited. */
  async flush(): Promise<void> {
    const streams = this.streams
      .map(({ stream }) => standardDestinationOrSelf<AnyStream>(stream))
      .filter(isStreamOfThisPackage)
    await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.flush!(() => done()))))
    await this.parts.recordEmitter?.flush()
  }

  /**
   * Writes a record to the streams that accept its level. Returns the line; undefined if it was not needed, because all streams are raw
   * and there are no redaction rules.
   *
   * @param noemit - whether only the line is returned, and nothing is written
   * @param level - the level of the log method, which a field of the call can replace in the record. A stream that accepts either gets it
   */
  _emit(record: BunyanRecord, noemit = false, level: number = Number(record.level)): string | undefined {
    return noemit ? lineOf(this, record) : writeRecord(this, record, level)
  }

  /** Returns the logger's fields that exporters receive with each record. */
  attributes(): Record<string, unknown> {
    return (this.exportedFields ??= Object.fromEntries(
      Object.entries(this.fields).filter(([key]) => !identityFields.includes(key)),
    ))
  }

  private initializeRoot(givenOptions: LoggerOptions): void {
    // Copied, so that each option is read once and members of Object.prototype are ignored.
    const options = withCopiedStreams(withoutPrototype(givenOptions))
    const problems = optionProblems(options, false)
    const redaction =
      problems.length > 0 && !options ? undefined : compileRedactOption(options.redact, 'redact', problems)
    throwIfInvalid(problems, 'createLogger')
    const hookFailures = createHookFailureReporter(options.onDiagnostic, 'SLUICE_BUNYAN_HOOK_THREW').withPatterns(
      redaction?.patterns,
    )
    const json = new JsonWriter(redaction, { createReplacer: createRepetitionReplacer, thrownMarker })
    const parts: SharedState = { json, hookFailures, recordEmitter: this.openRecords(options) }
    // Not enumerable, because users inspect loggers.
    define(this, 'parts', { value: parts })
    const { stream, streams, level } = options
    if (stream === undefined && streams === undefined) this.open({ stream: standardOutput() }, level)
    this.configure(options, [...settingNames, ...addedSettingNames])
    // With `streams: []`, records go only to exporters, and the option `level` is their minimum level.
    if (this.parts.recordEmitter !== undefined && this.streams.length === 0) this._level = resolveLevel(level ?? 'info')
  }

  /** Copies the state of the parent, and adds fields. */
  private inherit(parent: Logger, fields: object): void {
    define(this, 'parts', { value: parent.parts })
    this._level = parent._level
    this.streams = parent.streams
    this.serializers = parent.serializers
    this.src = parent.src
    this.fields = copyMembers({ ...parent.fields }, fields, parent.parts.hookFailures)
  }

  private initializeChild(parent: Logger, givenOptions: ChildOptions): void {
    // The options are copied with `copyMembers`, because the getter of a field may throw.
    const options = withCopiedStreams(
      copyMembers(withoutPrototype({}), givenOptions, parent.parts.hookFailures) as ChildOptions,
    )
    throwIfInvalid(optionProblems(options, true), 'child')
    this.inherit(parent, {})
    this.streams = parent.streams.map((each) => withoutPrototype({ ...each, closeOnExit: false }))
    this.serializers = parent.serializers === null ? null : { ...parent.serializers }
    if (options.level) this.level(options.level)
    this.configure(options, settingNames)
  }

  /**
   * Applies the options that root loggers and children have in common.
   *
   * @param excludedNames - names of the members that are not fields
   */
  private configure(options: object, excludedNames: readonly string[]): void {
    const { stream, streams, level, serializers, src } = options as Partial<LoggerOptions>
    if (stream !== undefined) this.open({ type: 'stream', stream }, level)
    for (const each of streams ?? []) this.open(each, level)
    if (serializers) this.serializers = { ...this.serializers, ...serializers }
    if (src) this.src = true
    const fields: Record<string, unknown> = withoutPrototype(
      Object.fromEntries(Object.entries(options).filter(([key]) => !excludedNames.includes(key))),
    )
    if (this.serializers !== null) serialize(this, fields)
    if (!fields['hostname'] && !withoutPrototype(this.fields)['hostname']) fields['hostname'] = hostname()
    if (!fields['pid']) fields['pid'] = process.pid
    this.fields = { ...this.fields, ...fields }
  }

  private open(streamOptions: Stream, defaultLevel: LogLevel | undefined): void {
    const stream = openStream(streamOptions, defaultLevel)
    this._level = Math.min(this._level, stream.level)
    if (stream.reemitErrorEvents === true) this.reemitErrors(stream)
    this.streams.push(stream)
  }

  /** Emits the errors of a stream from this logger. Without a listener, they are reported. */
  private reemitErrors(openStream: OpenStream): void {
    const stream = standardDestinationOrSelf<AnyStream>(openStream.stream)
    if (typeof member(stream, 'on') !== 'function') return
    listenForErrors(stream as ErrorEmitter, (error) => {
      if (this.listenerCount('error') > 0) this.emit('error', error, openStream)
      else this.parts.hookFailures.reportDiagnostic({ code: 'SLUICE_WRITE_FAILED', message: error.message })
    })
  }
}

/** Copies the options of each stream too, so that each is read once and members of Object.prototype are ignored. */
function withCopiedStreams<T extends Partial<LoggerOptions>>(options: T): T {
  if (Array.isArray(options?.streams)) options.streams = options.streams.map((stream) => withoutPrototype(stream))
  return options
}

const unexpectedArgument: ConfigurationProblem = {
  code: 'SLUICE_OPTION_TYPE',
  path: '',
  message: 'invalid Logger creation: do not pass a second arg',
}

function throwIfInvalid(problems: readonly ConfigurationProblem[], caller: string): void {
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
}

for (const [name, level] of Object.entries(levelFromName)) {
  define(Logger.prototype, name, { value: createLogMethod(level), writable: true, configurable: true })
}
