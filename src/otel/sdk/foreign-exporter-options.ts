import { checkedOptions, deliverySchema, throwIfInvalid } from '../../exporters/exporter-options.ts'
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

/** The default values of OpenTelemetry's batch processor (BLR1). */
export const batchDefaults = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1_000,
  exportTimeoutMillis: 30_000,
} as const

/**
 * Validates the options and claims the exporter, because two pipelines would call it concurrently (PRO6).
 *
 * @returns A copy of the options.
 * @throws ConfigurationError that lists all problems, or reports that the exporter is already in use.
 */
export function claimSdkExporter<O extends SdkExporterOptions>(exporter: OtelLogRecordExporter, given: O): O {
  const { own, problems } = checkedOptions('fromLogRecordExporter', given, schema, ['retry'])
  if (!isForeignExporter(exporter))
    problems.unshift({ code: 'SLUICE_OPTION_TYPE', path: 'exporter', message: expected })
  throwIfInvalid(problems)
  if (claimed.has(exporter)) {
    const code = 'SLUICE_EXPORTER_IN_USE'
    const message = 'is already in use by another exporter of this package; create one for each'
    throw new ConfigurationError([{ code, path: 'exporter', message }], code, 'fromLogRecordExporter')
  }
  claimed.add(exporter)
  return own
}

/** Returns whether a value may be an exporter of OpenTelemetry's SDK. Exporters of this package have an encoding. */
export function isForeignExporter(value: unknown): value is OtelLogRecordExporter {
  if (typeof value !== 'object' || value === null) return false
  try {
    const given = value as Partial<OtelLogRecordExporter & { encoding: unknown }>
    const { encoding, export: deliver, shutdown } = membersOf(given, ['encoding', 'export', 'shutdown'])
    return encoding === undefined && typeof deliver === 'function' && typeof shutdown === 'function'
  } catch {
    return false // a getter or a proxy
  }
}

const claimed = new WeakSet<OtelLogRecordExporter>()
const expected = 'must be an OpenTelemetry LogRecordExporter, with the methods export and shutdown'
const retryOrNot: Check = (value, where, problems) => {
  if (value !== false) checkOptions(value, retrySchema, where, problems)
}
const schema: OptionSchema = {
  ...deliverySchema,
  name: text(/./, 'be the name of the exporter'),
  numbers: choice(['double', 'json']),
  retry: retryOrNot,
}
