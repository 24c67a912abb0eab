import { integer } from '../../options/option-checks.ts'
import { refuse } from '../../exporters/exporter-options.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import { Levels } from '../../logger/levels.ts'
import type { Stats } from '../../logger/types.ts'
import { exporterOrExporters } from '../../pipeline/exporter-checks.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { anything, checkOptions, type OptionSchema } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { loggerDelivery, type LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import { measure, attachExporters, type AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { ExportCall } from './encoding-exporter-call.ts'
import { OpenCalls } from './encoding-exporter-exit.ts'
import { adaptedExporter } from './readable-exporter.ts'
import { SdkRecordAdapter } from './sdk-record-adapter.ts'
import { checkExporterLevel, checkIntake, intakeBags, intakeSchema, type IntakeOptions } from './readable-options.ts'
import { ReadableSources } from './readable-sources.ts'
import type { OtelExportResult, ReadableLogRecord } from '../api/types.ts'
import { nodePlatform } from '../../platform/node/platform.ts'

/** Options of `EncodingLogRecordExporter`. */
export interface EncodingLogRecordExporterOptions extends IntakeOptions {
  /** Where records go: an exporter of this package. */
  readonly exporter: Exporter
  /** After how many ms without an outcome `export` calls back with a failure; 0: never. Default 30,000. */
  readonly timeoutMillis?: number
}

/**
 * An exporter for the processors of somebody else's OpenTelemetry SDK, of either line: records are redacted text when
 * `export` returns, and go to an exporter of this package, which is given one batch at a time however often `export` is called.
 */
export interface EncodingLogRecordExporter {
  /**
   * Takes records and calls back with code 0 when the destination has them, with code 1 and an Error that counts the others
   * when not. Never throws.
   */
  export(records: readonly ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void
  /** Waits until what was exported before has left, 30,000 ms at most, and flushes the exporter. Never rejects. */
  forceFlush(): Promise<void>
  /** Flushes and closes, once; later exports fail (EXP2), and their records count as dropped (`shutdown`). Takes 30,000 ms at most. Never rejects. */
  shutdown(): Promise<void>
  /** What became of the records. */
  stats(): Stats
}

/**
 * Makes one.
 *
 * @throws ConfigurationError with every problem of the options; what an exporter of somebody's own throws when it is started.
 */
export const EncodingLogRecordExporter: new (options: EncodingLogRecordExporterOptions) => EncodingLogRecordExporter =
  class implements EncodingLogRecordExporter {
    private readonly attached: AttachedExporter
    private readonly intake: SdkRecordAdapter
    private readonly delivery: LoggerDelivery
    private readonly timeoutMillis: number
    /** undefined where the options say that the exit of the process is not handled. */
    private readonly open: OpenCalls | undefined
    private closing: Promise<void> | undefined

    constructor(given: EncodingLogRecordExporterOptions) {
      const problems: ConfigurationProblem[] = []
      const options = ownOptions(given ?? {}, owner, problems, intakeBags)
      const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, stderrLine, nodePlatform.monotonic)
      checkOptions(options, schema, owner, problems)
      const { rules, exit } = checkIntake(options, owner, reportDiagnostic, problems)
      checkExporter(options.exporter, problems)
      refuse(problems)
      const sources = new ReadableSources(rules.redaction.patterns)
      this.open = exit.handleExit ? new OpenCalls() : undefined
      const settings = {
        platform: this.open === undefined ? nodePlatform : { ...nodePlatform, guardExit: this.open.guardExit },
        levels: new Levels(),
        bound: sources.own,
        clock: Date.now,
        profile: undefined,
        exit,
        reportDiagnostic,
        decorate: atOnce,
        flushing: undefined,
      }
      const [attached] = attachExporters(options.exporter, settings)
      this.attached = attached!
      this.intake = new SdkRecordAdapter(attached!.output, rules, sources)
      this.delivery = loggerDelivery(
        nodePlatform,
        [attached!],
        exit.exitTimeoutMillis,
        measure([attached!], options.meterProvider, reportDiagnostic, 'exporter'),
      )
      this.timeoutMillis = options.timeoutMillis ?? mostMillis
    }

    export(records: readonly ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void {
      const { counters } = this.attached.output.owner
      const call = new ExportCall(counters, this.timeoutMillis, this.open, resultCallback)
      const given: readonly ReadableLogRecord[] = Array.isArray(records) ? records : []
      if (this.closing !== undefined) {
        for (const record of given) this.intake.refuse(record, counters)
        return call.refuse('the exporter is shut down')
      }
      for (const record of given) this.intake.take(record, call.tally)
      call.begin()
    }

    async forceFlush(): Promise<void> {
      await (this.closing ?? this.delivery.flush({ timeoutMillis: mostMillis }))
    }

    shutdown(): Promise<void> {
      this.closing ??= this.delivery.shutdown({ timeoutMillis: mostMillis }).then(() => undefined)
      return this.closing
    }

    stats(): Stats {
      return this.delivery.stats()
    }
  }

const owner = 'EncodingLogRecordExporter'
const mostMillis = 30_000
const schema: OptionSchema = { ...intakeSchema, exporter: anything, timeoutMillis: integer(0, 2_147_483_647) }

const where = `${owner}.exporter`

function checkExporter(exporter: Exporter, problems: ConfigurationProblem[]): void {
  const before = problems.length
  if (Array.isArray(exporter)) {
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be one; give each an exporter of its own' })
  } else {
    exporterOrExporters(exporter, where, problems)
    if (problems.length === before) checkExporterLevel(exporter, where, problems)
  }
}

/** Whoever calls has gathered records already: they do not wait for more. */
function atOnce(exporter: Exporter): Exporter {
  const { delivery, schedule } = exporter
  return typeof schedule === 'object' ? adaptedExporter(exporter, { delivery, schedule: 'turn' }) : exporter
}
