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
import { copyMembers } from '../shared/own-members.ts'
import { rulesOf } from '../shared/rules.ts'
import { takesSeverity } from '../shared/severity-stream.ts'
import { hookFailureReporter } from '../shared/hook-failures.ts'
import type { Instance, Parts } from './instance.ts'
import { listenForErrors, type Emitter } from '../../options/listen-for-errors.ts'
import { levelFromName, resolveLevel, type LogLevel } from './levels.ts'
import { logMethod, type LogMethod } from './log-method.ts'
import { openStream, type AnyStream, type OpenStream } from './open-stream.ts'
import { optionProblems, streamProblems } from './option-problems.ts'
import { serialize, type BunyanRecord } from './record.ts'
import type { Serializers } from './std-serializers.ts'
import type { ChildOptions, LoggerOptions, Stream } from './types.ts'
import { lineOf, writeRecord } from './write.ts'

/** No fields: what configures a logger. */
const settings = ['stream', 'level', 'streams', 'serializers', 'src']
const ownSettings = ['redact', 'exporter', 'onDiagnostic']
/** What stands in a record's scope and resource. */
const identity = ['name', 'hostname', 'pid']

/** bunyan's words for what threw. */
function marked(error: unknown): string {
  try {
    return `[Throws: ${error ? (error as Error).message : '?'}]`
  } catch {
    return '[Throws: ?]'
  }
}

/** A logger with bunyan's interface, without the way to exporters. */
export class Logger extends EventEmitter implements Instance {
  /** What it shares with its children. */
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
  /** The least level of its streams. */
  _level: number = Infinity
  /** Its outputs. */
  streams: OpenStream[] = []
  /** What is said in place of a field, by its name; null: nothing. */
  serializers: Serializers | null = null
  /** Whether lines say where in the source the call stands. */
  src: boolean = false
  /** What stands in each record. */
  fields: Record<string, unknown> = {}
  private said: Record<string, unknown> | undefined

  /** @throws ConfigurationError for options that cannot be, all of them at once. */
  constructor(options: LoggerOptions | Logger, childOptions?: ChildOptions, simple?: boolean) {
    super()
    if (childOptions === undefined) this.begin(options as LoggerOptions)
    else if (!(options instanceof Logger)) refuse([twoArguments])
    else if (simple === true) this.inherit(options, childOptions)
    else this.descend(options, childOptions)
  }

  /** Makes what takes records for exporters. */
  protected openRecords(_options: LoggerOptions): LogRecords | undefined {
    return undefined
  }

  /** A logger with more fields, and, unless `simple`, streams, serializers and a level of its own. */
  child(options: ChildOptions = {}, simple?: boolean): this {
    const Own = this.constructor as new (...args: unknown[]) => Logger
    return new Own(this, options ?? {}, simple) as this
  }

  /** Adds an output. `defaultLevel`: where it says none; default info. */
  addStream(given: Stream, defaultLevel?: LogLevel): void {
    const problems: ConfigurationProblem[] = []
    const stream = ownCopy(given)
    streamProblems(stream, 'stream', problems)
    refuse(problems)
    this.open(stream, defaultLevel)
  }

  /** Adds serializers, or puts others in their place. */
  addSerializers(serializers: Serializers): void {
    refuse(optionProblems(ownCopy({ name: 'any', serializers }), false))
    this.serializers = { ...this.serializers, ...serializers }
  }

  /** The least level of its streams. */
  level(): number
  /** Sets the least level of all its streams. */
  level(value: LogLevel): void
  level(value?: LogLevel): number | void {
    if (value === undefined) return this._level
    const level = resolveLevel(value)
    for (const stream of this.streams) stream.level = level
    this._level = level
    return undefined
  }

  /** The least levels of all streams, in their order. */
  levels(): number[]
  /** The least level of one stream, by its index or name. Throws an Error where there is no such stream. */
  levels(name: number | string): number
  /** Sets the least level of one stream, by its index or name. Throws an Error where there is no such stream. */
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

  /** Opens its files anew, for whoever renames them. */
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

  /** Ends when what was logged is written, where that is ours to know: the standard output, files, exporters. */
  async flush(): Promise<void> {
    const streams = this.streams.map(({ stream }) => lineStream<AnyStream>(stream)).filter(takesSeverity)
    await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.flush!(() => done()))))
    await this.parts.records?.flush()
  }

  /** Writes a record to the streams that take its level. `noemit`: only makes its line. Returns the line. */
  _emit(record: BunyanRecord, noemit = false, level: number = Number(record.level)): string | undefined {
    return noemit ? lineOf(this, record) : writeRecord(this, record, level)
  }

  /** What its records say besides their calls, for exporters. */
  attributes(): Record<string, unknown> {
    return (this.said ??= Object.fromEntries(Object.entries(this.fields).filter(([key]) => !identity.includes(key))))
  }

  private begin(given: LoggerOptions): void {
    // Read once, and without what is on Object.prototype.
    const options = withOwnStreams(ownCopy(given))
    const problems = optionProblems(options, false)
    const rules = problems.length > 0 && !options ? undefined : rulesOf(options.redact, 'redact', problems)
    refuse(problems)
    const hookFailures = hookFailureReporter(options.onDiagnostic, 'SLUICE_BUNYAN_HOOK_THREW').redactedBy(
      rules?.patterns,
    )
    const json = new JsonText(rules, { cycles: markSeen, thrownMarker: marked })
    // As bunyan's own loggers, it is looked at by people.
    define(this, 'parts', { value: { json, trouble: hookFailures, records: this.openRecords(options) } })
    const { stream, streams, level } = options
    if (stream === undefined && streams === undefined) this.open({ stream: standardOutput() }, level)
    this.configure(options, [...settings, ...ownSettings])
    // Without a stream its records go to exporters alone.
    if (this.parts.records !== undefined && this.streams.length === 0) this._level = resolveLevel(level ?? 'info')
  }

  /** A child that only has more fields. */
  private inherit(parent: Logger, fields: object): void {
    define(this, 'parts', { value: parent.parts })
    this._level = parent._level
    this.streams = parent.streams
    this.serializers = parent.serializers
    this.src = parent.src
    this.fields = copyMembers({ ...parent.fields }, fields, parent.parts.hookFailures)
  }

  private descend(parent: Logger, given: ChildOptions): void {
    // A field may be one whose getter throws.
    const options = withOwnStreams(copyMembers(ownCopy({}), given, parent.parts.hookFailures) as ChildOptions)
    refuse(optionProblems(options, true))
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

/** Options whose streams are read once as well. */
function withOwnStreams<T extends Partial<LoggerOptions>>(options: T): T {
  if (Array.isArray(options?.streams)) options.streams = options.streams.map((stream) => ownCopy(stream))
  return options
}

const twoArguments: ConfigurationProblem = {
  code: 'SLUICE_OPTION_TYPE',
  path: '',
  message: 'invalid Logger creation: do not pass a second arg',
}

function refuse(problems: readonly ConfigurationProblem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems)
}

for (const [name, level] of Object.entries(levelFromName)) {
  define(Logger.prototype, name, { value: logMethod(level), writable: true, configurable: true })
}
