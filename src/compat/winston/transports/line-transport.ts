import { EOL } from 'node:os'
import { member, ownCopy } from '../../../options/own-members.ts'
import { diagnosticReporter } from '../../../lifecycle/diagnostic-reporter.ts'
import { dropReportLines } from '../../../encode/drop-report-lines.ts'
import { stderrLine } from '../../../exporters/stderr.ts'
import { deliverySchema } from '../../../exporters/exporter-options.ts'
import type { FlushOptions, FlushResult, Stats } from '../../../logger/types.ts'
import type { Delivery, Exporter } from '../../../pipeline/exporter.ts'
import { callback, flag, text, type Check } from '../../../options/option-checks.ts'
import type { OnDiagnostic } from '../../../options/configuration-error.ts'
import type { LogRecord } from '../../../record/record.ts'
import { monotonic } from '../../../platform/node/end-of-turn.ts'
import { isFormat } from '../formats/format.ts'
import { jsonOf } from '../formats/json.ts'
import { LEVEL, MESSAGE, textOf, type TransformableInfo } from '../info.ts'
import { severityOfLevel } from '../levels.ts'
import { linePipeline, type LinePipeline } from '../../shared/line-pipeline.ts'
import { doneAfter, formattedBy, Transport, type Next, type TransportOptions } from './transport.ts'

/** Options of the transports that write lines: those of winston's, and the bounds of their queue. */
export interface LineTransportOptions extends TransportOptions, Omit<Delivery, 'level'> {
  /** What stands behind each line. Default: the line end of the system. */
  readonly eol?: string
  /** Where trouble is told. Default: the logger's `onDiagnostic`, else the standard error. */
  readonly onDiagnostic?: OnDiagnostic
}

const { level: _, ...bounds } = deliverySchema

/** The checks of these options. */
export const lineTransportSchema: Readonly<Record<keyof LineTransportOptions, Check>> = {
  ...bounds,
  level: text(),
  format: isFormat,
  silent: flag,
  handleExceptions: flag,
  handleRejections: flag,
  escapeControls: flag,
  name: text(),
  eol: text(),
  onDiagnostic: callback,
}

/** Makes the exporter of a destination. Called when the transport is made, and again when it is used after it was closed. */
export type MakeExporter = () => Exporter

/** A transport whose lines go through a queue of this package's: bounded, counted, and written when the process ends. */
export abstract class LineTransport extends Transport {
  private readonly eol: string
  private readonly make: readonly MakeExporter[]
  /** Made at construction, so that what is wrong in the options is told there. */
  private exporters: readonly Exporter[] | undefined
  private pipelines: readonly LinePipeline[] | undefined
  private readonly ownProblems: OnDiagnostic

  constructor(given: LineTransportOptions, make: readonly MakeExporter[]) {
    super(given)
    const options = ownCopy(given)
    this.eol = options.eol ?? EOL
    this.make = make
    this.ownProblems = diagnosticReporter(options.onDiagnostic, stderrLine, monotonic)
    this.exporters = make.map((exporter) => exporter())
    this.on('pipe', () => this.opened())
  }

  /** Tells trouble. */
  readonly told: OnDiagnostic = (problem) =>
    ((this.parent && member(this.parent, 'reportDiagnostic')) ?? this.ownProblems)(problem)

  /** Which of the destinations a record goes to. */
  protected pipelineOf(_info: TransformableInfo): number {
    return 0
  }

  /** The line of a record, without its end. */
  protected lineOf(info: TransformableInfo): string {
    return textOf(info[MESSAGE])
  }

  /** Puts the record's line into the queue, and calls `next` at once. */
  override log(info: TransformableInfo, next: Next): void {
    const pipelines = this.pipelines ?? this.opened()
    const severity = severityOfLevel(info[LEVEL] ?? '', this.levels)
    pipelines[this.pipelineOf(info)]!.push(this.lineOf(info) + this.eol, severity)
    if (this.listenerCount('logged') > 0) setImmediate(() => this.emit('logged', info))
    next()
  }

  /** Waits until what was logged so far is written. Never rejects. */
  async flush(options?: FlushOptions): Promise<FlushResult> {
    return joined(await Promise.all((this.pipelines ?? []).map((pipeline) => pipeline.flush(options))))
  }

  /** The same without the event loop, at most so long. */
  flushSync(deadlineMillis?: number): FlushResult {
    return joined((this.pipelines ?? []).map((pipeline) => pipeline.flushSync(deadlineMillis)))
  }

  /** What became of the records, by destination. */
  stats(): readonly Stats[] {
    return (this.pipelines ?? []).map((pipeline) => pipeline.stats())
  }

  /** Writes what waits, and closes the destination. */
  override close(): void {
    void this.shut()
  }

  /** Node's own. */
  override _final(done: (error?: Error | null) => void): void {
    void doneAfter(this.shut(), done)
  }

  private async shut(): Promise<void> {
    const pipelines = this.pipelines ?? []
    this.pipelines = undefined
    await Promise.all(pipelines.map((pipeline) => pipeline.shutdown(undefined)))
  }

  private opened(): readonly LinePipeline[] {
    if (this.pipelines !== undefined) return this.pipelines
    const exporters = this.exporters ?? this.make.map((exporter) => exporter())
    this.exporters = undefined
    const reportDiagnostic = weakly(this, this.ownProblems)
    const encoding = noticesOf(this, this.eol)
    this.pipelines = exporters.map((exporter) => linePipeline({ ...exporter, encoding }, reportDiagnostic))
    return this.pipelines
  }

  /** A record of this package's own, such as one that tells losses, as the formats have others. */
  noticeOf({ body, attributes }: LogRecord): string {
    const level = ['warn', 'warning', 'error'].find((name) => Object.hasOwn(this.levels, name)) ?? 'warn'
    const said = attributes instanceof Map ? Object.fromEntries(attributes) : attributes
    let info: TransformableInfo | undefined = { ...said, level, message: body, [LEVEL]: level }
    for (const format of [this.parent && member(this.parent, 'format'), this.format]) {
      if (format !== undefined && info !== undefined) info = formattedBy(format, info, undefined)
    }
    const line = info?.[MESSAGE]
    return line === undefined ? jsonOf({ level, message: body, ...said }) : textOf(line)
  }
}

/** Pipelines outlive a transport that is dropped without being closed, so they must not hold it. */
function weakly(transport: LineTransport, fallback: OnDiagnostic): OnDiagnostic {
  const held = new WeakRef(transport)
  return (problem) => (held.deref()?.told ?? fallback)(problem)
}

function noticesOf(transport: LineTransport, eol: string): Exporter['encoding'] {
  const held = new WeakRef(transport)
  return dropReportLines(
    (record) => (held.deref()?.noticeOf(record) ?? jsonOf({ level: 'warn', message: record.body })) + eol,
  )
}

function joined(results: readonly FlushResult[]): FlushResult {
  return {
    ok: results.every(({ ok }) => ok),
    pending: results.reduce((sum, { pending }) => sum + pending, 0),
    dropped: results.reduce((sum, { dropped }) => sum + dropped, 0),
  }
}
