import { foreignLimitNames } from '../../options/foreign-redaction-names.ts'
import { unknownLevel } from '../../record/level-names.ts'
import { Levels } from '../../logger/levels.ts'
import type { ValueSerializer } from '../../logger/types.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { meterProviderCheck, type MeterProvider } from '../../pipeline/meter.ts'
import { member } from '../../options/own-members.ts'
import { anything, callback, flag, integer, options, table, type Check } from '../../options/option-checks.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import { isStandardLevel } from '../../record/severity.ts'
import { defaultLimits, type Limits } from '../../values/limits.ts'
import { compileRedaction, type Redact } from '../../redact/redact.ts'
import type { Rules, Serializer } from '../../values/record-rules.ts'
import { standardSerializers } from '../../values/serializers.ts'
import type { ExitOptions } from '../../lifecycle/destinations.ts'
import { sdkRecordLimits } from '../api/limits.ts'

/**
 * Options for the records of an SDK and for the exit of the process, shared by `PipelineLogRecordProcessor` and
 * `EncodingLogRecordExporter`.
 */
export interface SdkRecordOptions {
  /**
   * The values to redact. An array is shorthand for `{ paths: [...] }`.
   *
   * @defaultValue credentials in members named `headers`
   */
  readonly redact?: Redact
  /**
   * The limits of records, as OpenTelemetry specifies them: attribute values are truncated without a marker, and the body is
   * exempt. `recordBytes` is specific to this package: a larger record, body included, is truncated with markers, reported as
   * `SLUICE_RECORD_TRUNCATED` and counted in `stats().truncated`.
   *
   * @defaultValue no attribute count limit, because the SDK has its own; values of any length; 64 levels of nesting;
   * `SLUICE_RECORD_BYTES`, else 4,000,000 bytes a record
   */
  readonly limits?: Limits
  /**
   * Serializers by top-level attribute, in addition to the standard `err`, `req` and `res`. They run before redaction.
   *
   * @defaultValue the standard ones
   */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /**
   * Whether queued records are flushed when the process exits, if the exporter supports it.
   *
   * @defaultValue true
   */
  readonly handleExit?: boolean
  /**
   * Whether queued records are flushed on SIGTERM, SIGINT and SIGHUP.
   *
   * @defaultValue true
   */
  readonly handleSignals?: boolean
  /**
   * The maximum time that flushing delays the exit of the process, however it exits, in ms. On a natural exit, an exporter that
   * needs the event loop gets this time too; records that it has not exported by then are dropped and counted.
   *
   * @defaultValue 2,000
   */
  readonly exitTimeoutMillis?: number
  /**
   * Receives metrics about the delivery of records, as defined by the semantic conventions for SDKs.
   *
   * @defaultValue none
   */
  readonly meterProvider?: MeterProvider
  /**
   * Receives diagnostics about delivery.
   *
   * @defaultValue one line on stderr per code and minute
   */
  readonly onDiagnostic?: OnDiagnostic
}

/** The checks of `SdkRecordOptions`. Options with `anything` are checked where they are read. */
export const sdkRecordSchema: Readonly<Record<keyof SdkRecordOptions, Check>> = {
  redact: anything,
  limits: options(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, anything])), foreignLimitNames),
  serializers: table(callback),
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  meterProvider: meterProviderCheck,
  onDiagnostic: callback,
}

/** The names of options whose values are objects that `copyOptions` copies too. `compileRedaction` copies `redact` itself. */
export const nestedSdkOptionNames: readonly string[] = ['limits', 'serializers']

/** The settings that the options, the environment and the defaults determine together. */
export interface ResolvedSdkRecordOptions {
  readonly rules: Rules
  readonly exit: ExitOptions
}

/**
 * Applies defaults to the options. Problems of the rules are added to `problems`.
 *
 * @param className - the name of the class that the options were passed to, which is their path in problems
 */
export function checkSdkRecordOptions(
  given: SdkRecordOptions,
  className: string,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
): ResolvedSdkRecordOptions {
  const { redact, limits, serializers = {}, handleExit = true, handleSignals = true, exitTimeoutMillis = 2_000 } = given
  return {
    rules: {
      redaction: compileRedaction(redact, `${className}.redact`, problems),
      serializers: new Map([...standardSerializers, ...(Object.entries(serializers ?? {}) as [string, Serializer][])]),
      limits: sdkRecordLimits(limits, `${className}.limits`, reportDiagnostic, problems),
    },
    exit: { handleExit, handleSignals, exitTimeoutMillis },
  }
}

/**
 * Checks that an exporter's `level` is a standard level or `silent`. There are no custom levels here: only loggers of this package have
 * them, and records of an SDK come from other loggers.
 */
export function checkExporterLevel(exporter: Exporter, where: string, problems: ConfigurationProblem[]): void {
  const level = member(exporter.delivery, 'level')
  if (level === undefined || level === 'silent' || isStandardLevel(level)) return
  const message = unknownLevel(level, [...new Levels().names, 'silent'])
  problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: `${where}.level`, message })
}
