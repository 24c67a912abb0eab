import { integer } from '../../options/option-checks.ts'
import { throwIfInvalid } from '../../exporters/exporter-options.ts'
import { stderrLine } from '../../exporters/stderr.ts'
import type { Stats } from '../../logger/types.ts'
import { exportersCheck } from '../../pipeline/exporter-checks.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { anything, checkOptions, type OptionSchema } from '../../options/option-checks.ts'
import { ownOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import type { AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { ExportCall } from './encoding-exporter-call.ts'
import { OpenCalls } from './encoding-exporter-exit.ts'
import { adaptedExporter } from './readable-exporter.ts'
import { openSdkPipeline } from './sdk-pipeline.ts'
import type { SdkRecordAdapter } from './sdk-record-adapter.ts'
import {
  checkExporterLevel,
  checkSdkRecordOptions,
  adapterOptionBags,
  sdkRecordSchema,
  type SdkRecordOptions,
} from './readable-options.ts'
import { ReadableSources } from './readable-sources.ts'
import type { OtelExportResult, ReadableLogRecord } from '../api/types.ts'
import { nodePlatform } from '../../platform/node/platform.ts'

/** Options of `EncodingLogRecordExporter`. */
export interface EncodingLogRecordExporterOptions extends SdkRecordOptions {
  /** The exporter of this package that receives the records. */
  readonly exporter: Exporter
  /**
   * The time in ms after which `export` calls back with a failure if the outcome is unknown; 0 means no limit.
   *
   * @defaultValue 30,000
   */
  readonly timeoutMillis?: number
}

/**
 * A LogRecordExporter for the processors of an OpenTelemetry SDK, of either generation. Records are serialized and redacted when
 * `export` returns. They are passed to an exporter of this package, which receives one batch at a time however often `export` is
 * called.
 */
export interface EncodingLogRecordExporter {
  /**
   * Exports records. Calls back with code 0 when the destination has accepted all of them, else with code 1 and an Error that
   * counts the others. Never throws.
   *
   * @param records - the records to export
   * @param resultCallback - called once with the result
   */
  export(records: readonly ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void
  /**
   * Waits until all records exported before this call have been sent, for at most 30,000 ms, and flushes the exporter. Never
   * rejects.
   */
  forceFlush(): Promise<void>
  /**
   * Flushes and closes the exporter. Every call returns the same promise. Later exports fail, and their records count as dropped
   * (`shutdown`). Takes at most 30,000 ms. Never rejects.
   */
  shutdown(): Promise<void>
  /** Returns the delivery statistics. */
  stats(): Stats
}

/**
 * Creates an EncodingLogRecordExporter.
 *
 * @throws ConfigurationError that lists all problems of the options. Errors that a custom exporter throws when it is started are
 * propagated.
 */
export const EncodingLogRecordExporter: new (options: EncodingLogRecordExporterOptions) => EncodingLogRecordExporter =
  class implements EncodingLogRecordExporter {
    private readonly attached: AttachedExporter
    private readonly intake: SdkRecordAdapter
    private readonly delivery: LoggerDelivery
    private readonly timeoutMillis: number
    /** undefined when `handleExit` is false. */
    private readonly open: OpenCalls | undefined
    private closing: Promise<void> | undefined

    constructor(given: EncodingLogRecordExporterOptions) {
      const problems: ConfigurationProblem[] = []
      const options = ownOptions(given ?? {}, owner, problems, adapterOptionBags)
      const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, stderrLine, nodePlatform.monotonic)
      checkOptions(options, schema, owner, problems)
      const { rules, exit } = checkSdkRecordOptions(options, owner, reportDiagnostic, problems)
      checkExporter(options.exporter, problems)
      throwIfInvalid(problems)
      const sources = new ReadableSources(rules.redaction.patterns)
      this.open = exit.handleExit ? new OpenCalls() : undefined
      const { attached, adapter, delivery } = openSdkPipeline(options.exporter, {
        platform: this.open === undefined ? nodePlatform : { ...nodePlatform, guardExit: this.open.guardExit },
        exit,
        reportDiagnostic,
        decorate: atOnce,
        onFlush: undefined,
        rules,
        sources,
        meterProvider: options.meterProvider,
        part: 'exporter',
      })
      this.attached = attached
      this.intake = adapter
      this.delivery = delivery
      this.timeoutMillis = options.timeoutMillis ?? maxMillis
    }

    export(records: readonly ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void {
      const { counters } = this.attached.target.owner
      const call = new ExportCall(counters, this.timeoutMillis, this.open, resultCallback)
      const given: readonly ReadableLogRecord[] = Array.isArray(records) ? records : []
      if (this.closing !== undefined) {
        for (const record of given) this.intake.refuse(record, counters)
        return call.refuse('the exporter is shut down')
      }
      for (const record of given) this.intake.push(record, call.owners)
      call.begin()
    }

    async forceFlush(): Promise<void> {
      await (this.closing ?? this.delivery.flush({ timeoutMillis: maxMillis }))
    }

    shutdown(): Promise<void> {
      this.closing ??= this.delivery.shutdown({ timeoutMillis: maxMillis }).then(() => undefined)
      return this.closing
    }

    stats(): Stats {
      return this.delivery.stats()
    }
  }

const owner = 'EncodingLogRecordExporter'
const maxMillis = 30_000
const schema: OptionSchema = { ...sdkRecordSchema, exporter: anything, timeoutMillis: integer(0, 2_147_483_647) }

const where = `${owner}.exporter`

function checkExporter(exporter: Exporter, problems: ConfigurationProblem[]): void {
  const before = problems.length
  if (Array.isArray(exporter)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: 'must be a single exporter, not an array; create an EncodingLogRecordExporter for each',
    })
  } else {
    exportersCheck(exporter, where, problems)
    if (problems.length === before) checkExporterLevel(exporter, where, problems)
  }
}

/** Exports each batch in the current turn, because the caller has already collected a batch. */
function atOnce(exporter: Exporter): Exporter {
  const { delivery, schedule } = exporter
  return typeof schedule === 'object' ? adaptedExporter(exporter, { delivery, schedule: 'turn' }) : exporter
}
