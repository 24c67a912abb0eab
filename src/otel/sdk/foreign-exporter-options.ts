import { foreignRetryOptionNames, foreignSdkExporterOptionNames } from '../../options/foreign-exporter-names.ts'
import { copyAndCheckOptions, deliverySchema, throwIfInvalid } from '../../exporters/exporter-options.ts'
import { retrySchema, type RetryOptions } from '../../exporters/retry/retry-options.ts'
import type { Delivery } from '../../pipeline/exporter.ts'
import { checkOptions, choice, text, type Check, type OptionSchema } from '../../options/option-checks.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { OtelExportResult, ReadableLogRecord } from '../api/types.ts'
import { membersOf } from '../../options/own-members.ts'

/** A LogRecordExporter of OpenTelemetry's SDK, of either generation: OTLP over gRPC or HTTP, console, in-memory, or custom. */
export interface OtelLogRecordExporter {
  /** Exports a batch and calls back once with the result. */
  export(records: ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void
  /** Exports pending records and closes the exporter. */
  shutdown(): Promise<void>
  /** Exports pending records. The older packages have it since 0.215. */
  forceFlush?(): Promise<void>
}

/** Options of `fromLogRecordExporter`. */
export interface SdkExporterOptions extends Delivery {
  /**
   * The name of the exporter in `stats()` and in diagnostics.
   *
   * @defaultValue the name of its class
   */
  readonly name?: string
  /**
   * The numbers that the exporter can encode. `double`: every double, as in protobuf. `json`: only numbers that `JSON.stringify`
   * preserves; NaN, infinities and integers over 2^53 are passed as text, because a Collector rejects the whole request when `null`
   * is in the place of a number.
   *
   * @defaultValue `json` for the OTLP exporter that sends JSON, else `double`
   */
  readonly numbers?: 'double' | 'json'
  /**
   * The retry policy for retryable failures: gRPC codes, which OpenTelemetry's gRPC exporter never retries itself, and network
   * errors. `exportTimeoutMillis` limits each attempt. `false` disables retries.
   *
   * @defaultValue retries for two minutes
   */
  readonly retry?: RetryOptions | false
}

/** The default values of OpenTelemetry's batch processor. */
export const batchDefaults = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1_000,
  exportTimeoutMillis: 30_000,
} as const

/**
 * Validates the options and marks the exporter as in use: no other pipeline may use it, because two would call it concurrently.
 *
 * @returns a copy of the options
 * @throws ConfigurationError that lists all problems, or if the exporter is already in use
 */
export function claimSdkExporter<O extends SdkExporterOptions>(exporter: OtelLogRecordExporter, given: O): O {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'fromLogRecordExporter',
    given,
    schema,
    ['retry'],
    foreignSdkExporterOptionNames,
    {
      'a string': "fromLogRecordExporter(exporter, { name: 'collector' })",
    },
  )
  if (!isForeignExporter(exporter))
    problems.unshift({ code: 'SLUICE_OPTION_TYPE', path: 'exporter', message: invalidExporter })
  throwIfInvalid(problems)
  if (claimedExporters.has(exporter)) {
    const code = 'SLUICE_EXPORTER_IN_USE'
    const message = 'is already in use by another exporter of this package; create one for each'
    throw new ConfigurationError([{ code, path: 'exporter', message }], code, 'fromLogRecordExporter')
  }
  claimedExporters.add(exporter)
  return checkedOptions
}

/** Returns whether a value may be an exporter of OpenTelemetry's SDK, and not one of this package, which has an `encoding`. */
export function isForeignExporter(value: unknown): value is OtelLogRecordExporter {
  if (typeof value !== 'object' || value === null) return false
  try {
    const candidate = value as Partial<OtelLogRecordExporter & { encoding: unknown }>
    const { encoding, export: exportRecords, shutdown } = membersOf(candidate, ['encoding', 'export', 'shutdown'])
    return encoding === undefined && typeof exportRecords === 'function' && typeof shutdown === 'function'
  } catch {
    return false // a getter or a proxy threw
  }
}

const claimedExporters = new WeakSet<OtelLogRecordExporter>()
const invalidExporter = 'must be an OpenTelemetry LogRecordExporter, with the methods export and shutdown'
const retryOrFalse: Check = (value, where, problems) => {
  if (value !== false) checkOptions(value, retrySchema, where, problems, foreignRetryOptionNames)
}
const schema: OptionSchema = {
  ...deliverySchema,
  name: text(/./, 'be the name of the exporter'),
  numbers: choice(['double', 'json']),
  retry: retryOrFalse,
}
