import { member, membersOf, ownCopy } from '../options/own-members.ts'
import { deliverySchema } from '../exporters/exporter-options.ts'
import type { TextStream } from '../exporters/stream-exporter.ts'
import type { FlushOptions, FlushResult, Logger, Stats } from '../logger/types.ts'
import { emitCallKey } from '../logger/log-call.ts'
import type { Delivery } from '../pipeline/exporter.ts'
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
import { ownOptions } from '../options/own-options.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../options/configuration-error.ts'
import type { Redact } from '../redact/redact.ts'
import { printing, type ConsoleMethod } from './methods.ts'

/** Where console's text goes in `passthrough`, and when. */
export interface PassthroughOptions extends Omit<Delivery, 'level'> {
  /** A file to append everything to, in place of the standard output and error. */
  readonly path?: string
  /** Create the directories of `path` that are missing. Default false. */
  readonly mkdir?: boolean
  /** A stream to give everything to. It is never ended. */
  readonly stream?: TextStream
  /**
   * When lines are written: at the end of the event-loop turn, in a microtask, or in the call. Default: as `SLUICE_PROFILE`, or being
   * in AWS Lambda, says for `fdExporter`; else `turn`.
   */
  readonly write?: 'turn' | 'microtask' | 'sync'
  /** As soon as so many bytes wait, they are written, whatever `write` and `scheduledDelayMillis` say. Default 69,632. */
  readonly batchBytes?: number
  /**
   * What to do when `maxQueueBytes` wait. Default `block`: the call waits for a reader that is slow. One that has taken
   * nothing for a second is not waited for: lines are lost, counted, and told in the stream once it goes on.
   */
  readonly onFull?: Delivery['onFull']
  /** Whether what waits is written when the process exits. Default true. */
  readonly handleExit?: boolean
  /** Whether what waits is written on SIGTERM, SIGINT and SIGHUP. Default true; in the profile `lambda` false. */
  readonly handleSignals?: boolean
  /** How long the process may be kept from exiting, in ms. Default 2,000; in the profile `lambda` 200. */
  readonly exitTimeoutMillis?: number
  /** Takes this package's own trouble. Default: one line on stderr for each code and minute. */
  readonly onDiagnostic?: OnDiagnostic
}

/** What `records` are made of. */
export interface RecordsOptions {
  /** Who logs the records; it is not shut down by `release()`. Default: the `logger` of this package. */
  readonly logger?: Pick<Logger, 'flush' | 'flushSync' | 'stats' | 'child' | 'isLevelEnabled'>
  /**
   * The level of each method's records, by name. Default: `debug` for `debug`, `warn` for `warn`, `error` for `error` and
   * `assert`, `trace` for `trace`, `info` for all others.
   */
  readonly levels?: Readonly<Partial<Record<ConsoleMethod, string>>>
  /**
   * Where objects and Errors go: into the `text`, as Node inspects them (default), or to the record's `attributes` and
   * exception, where paths and keys of redaction reach them.
   */
  readonly objects?: 'text' | 'attributes'
}

/** What `captureConsole` takes. */
export interface CaptureConsoleOptions extends PassthroughOptions, RecordsOptions {
  /**
   * `passthrough`: the same bytes as without, but written in pieces and without holding up the event loop. `records`: each
   * call that prints is a record of a logger. Default: `records` where `logger`, `levels` or `objects` is given.
   */
  readonly mode?: 'passthrough' | 'records'
  /**
   * What must not be shown. `patterns` cover the text in both modes; `paths` and `keys` need `objects: 'attributes'`. In
   * `records` these are rules in addition to the logger's. Default none.
   */
  readonly redact?: Redact
}

/** A console that is captured. */
export interface ConsoleCapture {
  /** Waits until what was printed so far has reached its destination. Never rejects. */
  flush(options?: FlushOptions): Promise<FlushResult>
  /** Writes what was printed so far without the event loop, for at most `deadlineMillis` (default: `exitTimeoutMillis`). */
  flushSync(deadlineMillis?: number): FlushResult
  /** What became of the lines; in `records`, of all records of the logger. */
  stats(): Stats
  /**
   * Writes what waits, for at most `exitTimeoutMillis`, and gives the console back as it was, before it returns. The answer
   * comes when the rest is written and the destination is closed. Never rejects; a second call gets the answer of the first.
   */
  release(options?: FlushOptions): Promise<FlushResult>
  /** `release()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The options that are for one mode only. */
const ofPassthrough = {
  maxQueueSize: deliverySchema.maxQueueSize,
  maxQueueBytes: deliverySchema.maxQueueBytes,
  maxExportBatchSize: deliverySchema.maxExportBatchSize,
  scheduledDelayMillis: deliverySchema.scheduledDelayMillis,
  exportTimeoutMillis: deliverySchema.exportTimeoutMillis,
  onFull: deliverySchema.onFull,
  path: text(/^[^\0]+$/, 'be the path of a file'),
  mkdir: flag,
  stream: aStream,
  write: choice(['turn', 'microtask', 'sync']),
  batchBytes: integer(1),
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  onDiagnostic: callback,
} satisfies Record<keyof PassthroughOptions, Check>

const ofRecords = {
  logger: aLogger,
  levels: nested(Object.fromEntries(printing.map((name) => [name, text()]))),
  objects: choice(['text', 'attributes']),
} satisfies Record<keyof RecordsOptions, Check>

const schema = { mode: choice(['passthrough', 'records']), redact: anything, ...ofPassthrough, ...ofRecords }

/** The options as they stand now, their mode, and what is wrong in them. */
export function checkedConsoleOptions(
  given: CaptureConsoleOptions,
  problems: ConfigurationProblem[],
): CaptureConsoleOptions & { readonly mode: 'passthrough' | 'records' } {
  const own = ownOptions(given, '', problems, ['levels'])
  checkOptions(own, schema, '', problems)
  if (own === null || typeof own !== 'object') return ownCopy({ mode: 'passthrough' })
  const has = (name: string) => (own as Record<string, unknown>)[name] !== undefined
  const mode = own.mode ?? (Object.keys(ofRecords).some(has) ? 'records' : 'passthrough')
  const [others, advice] =
    mode === 'records'
      ? [ofPassthrough, 'belongs to the exporter of the logger in mode records']
      : [ofRecords, "is for mode: 'records'"]
  for (const path of Object.keys(others).filter(has)) conflict(path, advice, problems)
  if (has('path') && has('stream')) conflict('stream', 'excludes path: give one of them', problems)
  if (own.objects !== 'attributes') refusePlaces(own.redact, problems)
  return ownCopy({ ...own, mode })
}

/** In finished text there are no members any more. */
function refusePlaces(redact: Redact | undefined, problems: ConfigurationProblem[]): void {
  const advice = "finds nothing in text: set objects: 'attributes', or redact.patterns"
  if (Array.isArray(redact)) conflict('redact', advice, problems)
  else if (typeof redact === 'object' && redact !== null) {
    for (const name of ['paths', 'keys', 'remove'] as const) {
      const value = member(redact as Partial<Record<typeof name, unknown>>, name)
      if (value !== undefined) conflict(`redact.${name}`, advice, problems)
    }
  }
}

function conflict(path: string, advice: string, problems: ConfigurationProblem[]): void {
  problems.push({ code: 'SLUICE_OPTION_CONFLICT', path, message: advice })
}

function aStream(value: unknown, path: string, problems: ConfigurationProblem[]): void {
  const { write, on } = membersOf(Object(value) as Partial<TextStream>, ['write', 'on'])
  if (typeof write === 'function' && typeof on === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message: 'must be a writable stream of Node' })
}

function aLogger(value: unknown, path: string, problems: ConfigurationProblem[]): void {
  const { [emitCallKey]: say } = Object(value) as { [emitCallKey]?: unknown }
  if (typeof say === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path, message: 'must be a logger of this package' })
}
