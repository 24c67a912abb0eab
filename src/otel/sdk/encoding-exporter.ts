import { foreignProviderOptionNames } from '../../options/foreign-provider-names.ts'
import { receivedOptionsObject, throwIfInvalid } from '../../exporters/exporter-options.ts'
import { writeStderrLine } from '../../exporters/stderr.ts'
import type { Stats } from '../../logger/types.ts'
import { exportersCheck } from '../../pipeline/exporter-checks.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { anything, checkOptions, integer, maxTimerMillis, type OptionSchema } from '../../options/option-checks.ts'
import { copyOptions } from '../../options/own-options.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import type { LoggerDelivery } from '../../lifecycle/logger-delivery.ts'
import type { AttachedExporter } from '../../lifecycle/attached-exporters.ts'
import { diagnosticReporter } from '../../lifecycle/diagnostic-reporter.ts'
import { ExportCall } from './encoding-exporter-call.ts'
import { OpenCalls } from './encoding-exporter-exit.ts'
import { adaptedExporter } from './adapted-exporter.ts'
import { openSdkPipeline } from './sdk-pipeline.ts'
import type { SdkRecordAdapter } from './sdk-record-adapter.ts'
import {
  checkExporterLevel,
  checkSdkRecordOptions,
  nestedSdkOptionNames,
  sdkRecordSchema,
  type SdkRecordOptions,
} from './sdk-record-options.ts'
import { SdkBoundStates } from './sdk-bound-states.ts'
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
    private readonly adapter: SdkRecordAdapter
    private readonly delivery: LoggerDelivery
    private readonly timeoutMillis: number
    /** The calls to complete when the process exits; undefined if `handleExit` is false. */
    private readonly openCalls: OpenCalls | undefined
    /** The result of the first call of `shutdown`. */
    private shutdownResult: Promise<void> | undefined

    constructor(givenOptions: EncodingLogRecordExporterOptions) {
      const problems: ConfigurationProblem[] = []
      const options = copyOptions(givenOptions ?? {}, className, problems, nestedSdkOptionNames, {
        'an exporter': `new ${className}({ exporter })`,
      })
      const reportDiagnostic = diagnosticReporter(options?.onDiagnostic, writeStderrLine, nodePlatform.monotonic)
      checkOptions(options, schema, className, problems, foreignProviderOptionNames)
      const { rules, exit } = checkSdkRecordOptions(options, className, reportDiagnostic, problems)
      if (receivedOptionsObject(className, problems)) checkExporter(options.exporter, problems)
      throwIfInvalid(problems)
      const boundStates = new SdkBoundStates(rules.redaction.patterns)
      this.openCalls = exit.handleExit ? new OpenCalls() : undefined
      const { attached, adapter, delivery } = openSdkPipeline(options.exporter, {
        platform:
          this.openCalls === undefined ? nodePlatform : { ...nodePlatform, guardExit: this.openCalls.guardExit },
        exit,
        reportDiagnostic,
        decorate: withoutDelay,
        onFlush: undefined,
        rules,
        boundStates,
        meterProvider: options.meterProvider,
        measuredPart: 'exporter',
      })
      this.attached = attached
      this.adapter = adapter
      this.delivery = delivery
      this.timeoutMillis = options.timeoutMillis ?? defaultTimeoutMillis
    }

    export(records: readonly ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void {
      const { counters } = this.attached.target.owner
      const call = new ExportCall(counters, this.timeoutMillis, this.openCalls, resultCallback)
      const recordList: readonly ReadableLogRecord[] = Array.isArray(records) ? records : []
      if (this.shutdownResult !== undefined) {
        for (const record of recordList) this.adapter.countAsDropped(record, counters)
        return call.fail('the exporter is shut down')
      }
      for (const record of recordList) this.adapter.push(record, call.owners)
      call.startWaiting()
    }

    async forceFlush(): Promise<void> {
      await (this.shutdownResult ?? this.delivery.flush({ timeoutMillis: defaultTimeoutMillis }))
    }

    shutdown(): Promise<void> {
      this.shutdownResult ??= this.delivery.shutdown({ timeoutMillis: defaultTimeoutMillis }).then(() => undefined)
      return this.shutdownResult
    }

    stats(): Stats {
      return this.delivery.stats()
    }
  }

const className = 'EncodingLogRecordExporter'
/** The timeout of a flush and of `shutdown`, and the default of `timeoutMillis`, in ms. */
const defaultTimeoutMillis = 30_000
const schema: OptionSchema = { ...sdkRecordSchema, exporter: anything, timeoutMillis: integer(0, maxTimerMillis) }

const exporterPath = `${className}.exporter`

function checkExporter(exporter: Exporter, problems: ConfigurationProblem[]): void {
  const problemsBefore = problems.length
  if (Array.isArray(exporter)) {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: exporterPath,
      message: 'must be a single exporter, not an array; create an EncodingLogRecordExporter for each',
    })
  } else {
    exportersCheck(exporter, exporterPath, problems)
    if (problems.length === problemsBefore) checkExporterLevel(exporter, exporterPath, problems)
  }
}

/** Returns an exporter that does not wait for batches to fill, because the caller of `export` has already collected a batch. */
function withoutDelay(exporter: Exporter): Exporter {
  const { delivery, schedule } = exporter
  return typeof schedule === 'object' ? adaptedExporter(exporter, { delivery, schedule: 'turn' }) : exporter
}
