import { foreignCaptureConsoleOptionNames } from '../options/foreign-logger-names.ts'
import { foreignWriteWords } from '../options/foreign-values.ts'
import { levelName } from '../record/level-names.ts'
import { member, membersOf, withoutPrototype } from '../options/own-members.ts'
import { deliverySchema } from '../exporters/exporter-options.ts'
import type { TextStream } from '../exporters/stream-exporter.ts'
import type { FlushOptions, FlushResult, Logger, Stats } from '../logger/types.ts'
import { isOwnLogger } from '../logger/log-call.ts'
import type { Delivery, OnFull } from '../pipeline/exporter.ts'
import {
  anything,
  callback,
  checkOptions,
  choice,
  flag,
  integer,
  options as nested,
  text,
  type Check,
} from '../options/option-checks.ts'
import { copyOptions } from '../options/own-options.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../options/configuration-error.ts'
import type { Redact } from '../redact/redact.ts'
import { printingMethods, type ConsoleMethod } from './methods.ts'

/** Where and when `passthrough` writes the console's text. */
export interface PassthroughOptions extends Omit<Delivery, 'level'> {
  /**
   * Path of a file that all text is appended to, instead of standard output and standard error.
   *
   * @defaultValue standard output and standard error
   */
  readonly path?: string
  /**
   * Creates missing directories of `path`.
   *
   * @defaultValue false
   */
  readonly mkdir?: boolean
  /**
   * Stream that receives all text. It is never ended.
   *
   * @defaultValue standard output and standard error
   */
  readonly stream?: TextStream
  /**
   * When lines are written: at the end of the event-loop turn, in a microtask, or synchronously during the call.
   *
   * @defaultValue the value that `fdExporter` uses under `SLUICE_PROFILE` or in AWS Lambda, otherwise `turn`
   */
  readonly write?: 'turn' | 'microtask' | 'sync'
  /**
   * Number of queued bytes at which lines are written immediately, regardless of `write` and `scheduledDelayMillis`.
   *
   * @defaultValue 69,632
   */
  readonly batchBytes?: number
  /**
   * What happens when `maxQueueBytes` are queued. With `block`, the call waits for a slow reader. If the reader has accepted nothing
   * for one second, the call no longer waits: lines are dropped, counted, and reported in the stream when it accepts data again.
   *
   * @defaultValue `block`
   */
  readonly onFull?: OnFull
  /**
   * Whether queued text is written when the process exits.
   *
   * @defaultValue true
   */
  readonly handleExit?: boolean
  /**
   * Whether queued text is written on SIGTERM, SIGINT and SIGHUP.
   *
   * @defaultValue true; false in the profile `lambda`
   */
  readonly handleSignals?: boolean
  /**
   * Maximum time that the process exit is delayed, in milliseconds.
   *
   * @defaultValue 2,000; 200 in the profile `lambda`
   */
  readonly exitTimeoutMillis?: number
  /**
   * Callback for the diagnostics of this package.
   *
   * @defaultValue one line on stderr per code and minute
   */
  readonly onDiagnostic?: OnDiagnostic
}

/** How console calls become records in mode `records`. */
export interface RecordsOptions {
  /**
   * Logger that writes the records. It is not shut down by `release()`.
   *
   * @defaultValue the default `logger` of this package
   */
  readonly logger?: Pick<Logger, 'flush' | 'flushSync' | 'stats' | 'child' | 'isLevelEnabled'>
  /**
   * Level of the records of each console method, by level name.
   *
   * @defaultValue `debug` for `debug`, `warn` for `warn`, `error` for `error` and `assert`, `trace` for `trace`, `info` for all others
   */
  readonly levels?: Readonly<Partial<Record<ConsoleMethod, string>>>
  /**
   * How objects and Errors are logged: `text` formats them into the message as Node inspects them; `attributes` adds them to the
   * record's attributes and exception, where `paths` and `keys` of redaction apply.
   *
   * @defaultValue `text`
   */
  readonly objects?: 'text' | 'attributes'
}

/** Options of `captureConsole`. */
export interface CaptureConsoleOptions extends PassthroughOptions, RecordsOptions {
  /**
   * `passthrough` writes the same bytes as an uncaptured console, but in batches and without blocking the event loop. `records` logs
   * each call that prints as a record of a logger.
   *
   * @defaultValue `records` if `logger`, `levels` or `objects` is set, otherwise `passthrough`
   */
  readonly mode?: 'passthrough' | 'records'
  /**
   * Redaction rules. `patterns` apply to the text in both modes; `paths` and `keys` require `objects: 'attributes'`. In mode `records`,
   * the rules are added to those of the logger.
   *
   * @defaultValue none
   */
  readonly redact?: Redact
}

/** A captured console. */
export interface ConsoleCapture {
  /** Waits until everything printed so far has reached its destination. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult>
  /**
   * Writes everything printed so far without the event loop.
   *
   * @param timeoutMillis - maximum time in milliseconds; default: `exitTimeoutMillis`
   */
  flushSync(timeoutMillis?: number): FlushResult
  /** Returns the delivery statistics of the lines; in mode `records`, of all records of the logger. */
  stats(): Stats
  /**
   * Writes what is queued, for at most `exitTimeoutMillis`, and restores the console, before it returns. The promise resolves when
   * the rest is written and the destination is closed. It never rejects; a second call returns the result of the first.
   */
  release(options?: FlushOptions): Promise<FlushResult>
  /** Calls `release()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Checks of the options that apply only in mode `passthrough`. */
const passthroughSchema = {
  maxQueueSize: deliverySchema.maxQueueSize,
  maxQueueBytes: deliverySchema.maxQueueBytes,
  maxExportBatchSize: deliverySchema.maxExportBatchSize,
  scheduledDelayMillis: deliverySchema.scheduledDelayMillis,
  exportTimeoutMillis: deliverySchema.exportTimeoutMillis,
  onFull: deliverySchema.onFull,
  path: text(/^[^\0]+$/, 'be the path of a file'),
  mkdir: flag,
  stream: checkStream,
  write: choice(['turn', 'microtask', 'sync'], foreignWriteWords),
  batchBytes: integer(1),
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  onDiagnostic: callback,
} satisfies Record<keyof PassthroughOptions, Check>

/** Checks of the options that apply only in mode `records`. */
const recordsSchema = {
  logger: checkLogger,
  levels: nested(Object.fromEntries(printingMethods.map((name) => [name, levelName]))),
  objects: choice(['text', 'attributes']),
} satisfies Record<keyof RecordsOptions, Check>

const schema = { mode: choice(['passthrough', 'records']), redact: anything, ...passthroughSchema, ...recordsSchema }

/** Returns a copy of the options with the mode set, and adds what is invalid to `problems`. */
export function checkedConsoleOptions(
  given: CaptureConsoleOptions,
  problems: ConfigurationProblem[],
): CaptureConsoleOptions & { readonly mode: 'passthrough' | 'records' } {
  const options = copyOptions(given, '', problems, ['levels'], {
    'a logger': 'captureConsole({ logger })',
    'a string': "captureConsole({ path: 'console.log' })",
    'a stream': 'captureConsole({ stream })',
  })
  checkOptions(options, schema, '', problems, foreignCaptureConsoleOptionNames)
  if (options === null || typeof options !== 'object') return withoutPrototype({ mode: 'passthrough' })
  const isSet = (name: string) => (options as Record<string, unknown>)[name] !== undefined
  const mode = options.mode ?? (Object.keys(recordsSchema).some(isSet) ? 'records' : 'passthrough')
  const [otherSchema, advice] =
    mode === 'records'
      ? [
          passthroughSchema,
          "applies only to mode: 'passthrough'; in mode 'records', set it on the logger or its exporter",
        ]
      : [recordsSchema, "applies only to mode: 'records'"]
  for (const path of Object.keys(otherSchema).filter(isSet)) addConflict(path, advice, problems)
  if (isSet('path') && isSet('stream')) addConflict('stream', 'cannot be used with path: set one of the two', problems)
  if (options.objects !== 'attributes') rejectMemberRules(options.redact, problems)
  return withoutPrototype({ ...options, mode })
}

/** Rejects rules for members where only formatted text is redacted, which has no members. */
function rejectMemberRules(redact: Redact | undefined, problems: ConfigurationProblem[]): void {
  const advice = "has no effect on formatted text: set objects: 'attributes', or use redact.patterns"
  if (Array.isArray(redact)) addConflict('redact', advice, problems)
  else if (typeof redact === 'object' && redact !== null) {
    for (const name of ['paths', 'keys', 'remove'] as const) {
      const value = member(redact as Partial<Record<typeof name, unknown>>, name)
      if (value !== undefined) addConflict(`redact.${name}`, advice, problems)
    }
  }
}

function addConflict(path: string, advice: string, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_CONFLICT', path, message: advice })
}

function checkStream(value: unknown, path: string, problems: ConfigurationProblem[]): void {
  const { write, on } = membersOf(Object(value) as Partial<TextStream>, ['write', 'on'])
  if (typeof write === 'function' && typeof on === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message: 'must be a Node.js writable stream' })
}

function checkLogger(value: unknown, path: string, problems: ConfigurationProblem[]): void {
  if (isOwnLogger(value)) return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message: 'must be a logger that createLogger returned' })
}
