import { EOL } from 'node:os'
import { member, withoutPrototype } from '../../../options/own-members.ts'
import { diagnosticReporter } from '../../../lifecycle/diagnostic-reporter.ts'
import { dropReportLines } from '../../../encode/drop-report-lines.ts'
import { writeStderrLine } from '../../../exporters/stderr.ts'
import { deliverySchema } from '../../../exporters/exporter-options.ts'
import type { FlushOptions, FlushResult, Stats } from '../../../logger/types.ts'
import type { Delivery, Exporter } from '../../../pipeline/exporter.ts'
import { callback, flag, text, type Check } from '../../../options/option-checks.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { LogRecord } from '../../../record/record.ts'
import { monotonic } from '../../../platform/node/end-of-turn.ts'
import { checkFormat } from '../formats/format.ts'
import { jsonOf } from '../formats/json.ts'
import { LEVEL, MESSAGE, textOf, type TransformableInfo } from '../info.ts'
import { severityOfLevel } from '../levels.ts'
import { openLinePipeline, type LinePipeline } from '../../shared/line-pipeline.ts'
import { callWhenSettled, applyFormat, Transport, type Next, type TransportOptions } from './transport.ts'

/** Options of the transports that write lines: those of winston, and the limits of the queue. */
export interface LineTransportOptions extends TransportOptions, Omit<Delivery, 'level'> {
  /**
   * Terminator of each line.
   *
   * @defaultValue the line terminator of the operating system
   */
  readonly eol?: string
  /**
   * Callback for diagnostics of this transport, unless its logger is one of this package: such a logger reports them itself.
   *
   * @defaultValue lines on standard error
   */
  readonly onDiagnostic?: OnDiagnostic
}

const { level: _, ...queueSchema } = deliverySchema

/** Checks of the options of a line transport. */
export const lineTransportSchema: Readonly<Record<keyof LineTransportOptions, Check>> = {
  ...queueSchema,
  level: text(),
  format: checkFormat,
  silent: flag,
  handleExceptions: flag,
  handleRejections: flag,
  escapeControls: flag,
  name: text(),
  eol: text(),
  onDiagnostic: callback,
}

/** Creates the exporter of a destination. Called when the transport is created, and again if it is used after it was closed. */
export type MakeExporter = () => Exporter

/** A transport whose lines are queued by this package: the queue is bounded, counted, and flushed when the process exits. */
export abstract class LineTransport extends Transport {
  private readonly eol: string
  /** One function for each destination. */
  private readonly factories: readonly MakeExporter[]
  /** Created by the constructor, so that it throws for invalid options; undefined once the pipelines use them. */
  private exporters: readonly Exporter[] | undefined
  /** One for each destination; undefined before the first use, and after the transport was closed. */
  private pipelines: readonly LinePipeline[] | undefined
  private readonly fallbackReporter: OnDiagnostic

  constructor(given: LineTransportOptions, factories: readonly MakeExporter[]) {
    super(given)
    const options = withoutPrototype(given)
    this.eol = options.eol ?? EOL
    this.factories = factories
    this.fallbackReporter = diagnosticReporter(options.onDiagnostic, writeStderrLine, monotonic)
    this.exporters = factories.map((createExporter) => createExporter())
    this.on('pipe', () => this.openPipelines())
  }

  /** Reports a diagnostic to the logger, or to this transport's own callback if it has no logger or one of winston. */
  readonly reportFailure: OnDiagnostic = (diagnostic) =>
    ((this.parent && member(this.parent, 'reportDiagnostic')) ?? this.fallbackReporter)(diagnostic)

  /** Returns which destination a record is written to, as an index of the `factories` that were passed to the constructor. */
  protected pipelineOf(_info: TransformableInfo): number {
    return 0
  }

  /** Returns the line of a record without its terminator. */
  protected lineOf(info: TransformableInfo): string {
    return textOf(info[MESSAGE])
  }

  /** Queues the record's line, and calls `next` synchronously. */
  override log(info: TransformableInfo, next: Next): void {
    const pipelines = this.pipelines ?? this.openPipelines()
    const severity = severityOfLevel(info[LEVEL] ?? '', this.levels)
    pipelines[this.pipelineOf(info)]!.push(this.lineOf(info) + this.eol, severity)
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info))
    next()
  }

  /** Waits until everything logged so far is written. Never rejects. */
  async flush(options?: FlushOptions): Promise<FlushResult> {
    return combineResults(await Promise.all((this.pipelines ?? []).map((pipeline) => pipeline.flush(options))))
  }

  /**
   * Writes everything logged so far without the event loop.
   *
   * @param timeoutMillis - maximum time for each destination in milliseconds; default: `exitTimeoutMillis` of the profile
   */
  flushSync(timeoutMillis?: number): FlushResult {
    return combineResults((this.pipelines ?? []).map((pipeline) => pipeline.flushSync(timeoutMillis)))
  }

  /** Returns the delivery statistics of each destination. */
  stats(): readonly Stats[] {
    return (this.pipelines ?? []).map((pipeline) => pipeline.stats())
  }

  /** Writes everything that is queued, and closes the destinations. */
  override close(): void {
    void this.closePipelines()
  }

  /** Implements `Writable`. */
  override _final(done: (error?: Error | null) => void): void {
    void callWhenSettled(this.closePipelines(), done)
  }

  private async closePipelines(): Promise<void> {
    const pipelines = this.pipelines ?? []
    this.pipelines = undefined
    await Promise.all(pipelines.map((pipeline) => pipeline.shutdown(undefined)))
  }

  private openPipelines(): readonly LinePipeline[] {
    if (this.pipelines !== undefined) return this.pipelines
    const exporters = this.exporters ?? this.factories.map((createExporter) => createExporter())
    this.exporters = undefined
    const reportDiagnostic = weakReporter(this, this.fallbackReporter)
    const encoding = dropReportEncoding(this, this.eol)
    this.pipelines = exporters.map((exporter) => openLinePipeline({ ...exporter, encoding }, reportDiagnostic))
    return this.pipelines
  }

  /** Returns the line of a record that this package created, such as a drop report, with the formats of the logger and the transport. */
  noticeOf({ body, attributes }: LogRecord): string {
    const level = ['warn', 'warning', 'error'].find((name) => Object.hasOwn(this.levels, name)) ?? 'warn'
    const fields = attributes instanceof Map ? Object.fromEntries(attributes) : attributes
    let info: TransformableInfo | undefined = { ...fields, level, message: body, [LEVEL]: level }
    for (const format of [this.parent && member(this.parent, 'format'), this.format]) {
      if (format !== undefined && info !== undefined) info = applyFormat(format, info, undefined)
    }
    const line = info?.[MESSAGE]
    return line === undefined ? jsonOf({ level, message: body, ...fields }) : textOf(line)
  }
}

/** Reports to a transport without keeping it alive, because its pipelines may outlive it: it can be garbage collected without `close()`. */
function weakReporter(transport: LineTransport, fallback: OnDiagnostic): OnDiagnostic {
  const weakTransport = new WeakRef(transport)
  return (diagnostic) => (weakTransport.deref()?.reportFailure ?? fallback)(diagnostic)
}

/** Returns the encoding of drop reports. It does not keep the transport alive either. */
function dropReportEncoding(transport: LineTransport, eol: string): Exporter['encoding'] {
  const weakTransport = new WeakRef(transport)
  return dropReportLines(
    (record) => (weakTransport.deref()?.noticeOf(record) ?? jsonOf({ level: 'warn', message: record.body })) + eol,
  )
}

function combineResults(results: readonly FlushResult[]): FlushResult {
  return {
    ok: results.every(({ ok }) => ok),
    pending: results.reduce((sum, { pending }) => sum + pending, 0),
    dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}
