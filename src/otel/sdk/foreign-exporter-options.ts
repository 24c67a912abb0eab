import { checkedOptions, deliverySchema, refuse } from '../../exporters/exporter-options.ts'
import { retrySchema, type RetryOptions } from '../../exporters/retry/retrying.ts'
import type { Delivery } from '../../pipeline/exporter.ts'
import { checkOptions, choice, text, type Check, type OptionSchema } from '../../options/option-checks.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import type { OtelExportResult, ReadableLogRecord } from '../api/types.ts'
import { membersOf } from '../../options/own-members.ts'

/** An exporter of OpenTelemetry's SDK, of either line: OTLP over gRPC or HTTP, console, in-memory, or somebody's own. */
export interface OtelLogRecordExporter {
  /** Sends a batch, and tells once what became of it. */
  export(records: ReadableLogRecord[], resultCallback: (result: OtelExportResult) => void): void
  /** Sends what waits, and closes. */
  shutdown(): Promise<void>
  /** The older line has it since 0.215. */
  forceFlush?(): Promise<void>
}

/** Options of `fromLogRecordExporter`. */
export interface SdkExporterOptions extends Delivery {
  /** Names the exporter in `stats()` and in problems. Default: the name of its class. */
  readonly name?: string
  /**
   * What its numbers can hold. `double`: every double, as protobuf has it. `json`: what `JSON.stringify` writes as it is; NaN,
   * infinities and integers past 2^53 are given as text, because `null` in the place of a number makes a Collector refuse the
   * whole request. Default: `json` for the OTLP exporter that sends JSON, else `double`.
   */
  readonly numbers?: 'double' | 'json'
  /**
   * How long what may be tried again is tried (OTL12): codes of gRPC, whose exporter never tries again itself (D17), and errors
   * of the network. `exportTimeoutMillis` bounds each try. false: never. Default: for two minutes.
   */
  readonly retry?: RetryOptions | false
}

/** The defaults of a batch processor (BLR1). */
export const batchDefaults = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 1_000,
  exportTimeoutMillis: 30_000,
} as const

/**
 * Throws what is wrong with the options, and claims the exporter: two pipelines would call one at the same time (PRO6).
 *
 * @returns the options as they stand now.
 * @throws ConfigurationError that lists every problem, or says that the exporter is in use.
 */
export function claimSdkExporter<O extends SdkExporterOptions>(exporter: OtelLogRecordExporter, given: O): O {
  const { own, problems } = checkedOptions('fromLogRecordExporter', given, schema, ['retry'])
  if (!isForeignExporter(exporter))
    problems.unshift({ code: 'SLUICE_OPTION_TYPE', path: 'exporter', message: expected })
  refuse(problems)
  if (claimed.has(exporter)) {
    const code = 'SLUICE_EXPORTER_IN_USE'
    const message = 'serves an exporter of this package already; make one for each'
    throw new ConfigurationError([{ code, path: 'exporter', message }], code)
  }
  claimed.add(exporter)
  return own
}

/** Whether this could be an exporter of OpenTelemetry's SDK. Ours have an encoding. */
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
const expected = 'must be a LogRecordExporter of OpenTelemetry, with the methods export and shutdown'
const retryOrNot: Check = (value, where, problems) => {
  if (value !== false) checkOptions(value, retrySchema, where, problems)
}
const schema: OptionSchema = {
  ...deliverySchema,
  name: text(/./, 'name the exporter'),
  numbers: choice(['double', 'json']),
  retry: retryOrNot,
}
