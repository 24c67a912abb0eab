import { Levels } from '../../logger/levels.ts'
import type { ValueSerializer } from '../../logger/types.ts'
import type { Exporter } from '../../pipeline/exporter.ts'
import { aMeterProvider, type MeterProvider } from '../../pipeline/meter.ts'
import { member } from '../../options/own-members.ts'
import {
  anything,
  callback,
  flag,
  integer,
  options,
  quotedWord,
  table,
  type Check,
} from '../../options/option-checks.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import { isStandardLevel } from '../../record/severity.ts'
import { defaultLimits, type Limits } from '../../values/limits.ts'
import { compileRedaction, type Redact } from '../../redact/redact.ts'
import type { Rules, Serializer } from '../../values/record-rules.ts'
import { standardSerializers } from '../../values/serializers.ts'
import type { ExitOptions } from '../../lifecycle/destinations.ts'
import { readableLimits } from '../api/limits.ts'

/** What is done with the records of an SDK before they wait, and how the process may end. */
export interface IntakeOptions {
  /** What must not be shown. An array means paths. Default: credentials in members named `headers`, nothing else. */
  readonly redact?: Redact
  /**
   * How much is kept of large attributes, as OpenTelemetry specifies it: values are cut without a marker, and the body is
   * exempt. `recordBytes` is not OpenTelemetry's: a record over it, body included, is cut with markers, reported as
   * `SLUICE_RECORD_TRUNCATED` and counted in `stats().truncated`. Default: as many attributes as the SDK lets through, which
   * has a limit itself (LIM1), of any length, 64 levels deep, in `SLUICE_RECORD_BYTES`, else 4,000,000 bytes a record.
   */
  readonly limits?: Limits
  /** Serializers by top-level attribute, beside the standard `err`, `req` and `res`. They run before redaction. */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /** Whether what waits is written when the process exits, where the exporter can do that. Default true. */
  readonly handleExit?: boolean
  /** Whether what waits is written on SIGTERM, SIGINT and SIGHUP. Default true. */
  readonly handleSignals?: boolean
  /**
   * How long the process may be kept from exiting, in ms, however it exits. An exporter that needs the event loop gets this time at
   * a natural end; what it has not exported then is dropped and counted. Default 2,000.
   */
  readonly exitTimeoutMillis?: number
  /** Told what becomes of the records, by the semantic conventions for SDKs. Default: nobody. */
  readonly meterProvider?: MeterProvider
  /** Takes trouble with delivery. Default: one line on stderr for each code and minute. */
  readonly onDiagnostic?: OnDiagnostic
}

/** The checks of `IntakeOptions`. What is `anything` is checked where it is read. */
export const intakeSchema: Readonly<Record<keyof IntakeOptions, Check>> = {
  redact: anything,
  limits: options(Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, anything]))),
  serializers: table(callback),
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  meterProvider: aMeterProvider,
  onDiagnostic: callback,
}

/** Those of them that are objects with options themselves. Rules of redaction are read by themselves. */
export const intakeBags: readonly string[] = ['limits', 'serializers']

/** Those options with every choice made. */
export interface CheckedIntake {
  readonly rules: Rules
  readonly exit: ExitOptions
}

/** Makes the choices that options leave open; what is wrong in the rules is added to `problems`. */
export function checkIntake(
  given: IntakeOptions,
  owner: string,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
): CheckedIntake {
  const { redact, limits, serializers = {}, handleExit = true, handleSignals = true, exitTimeoutMillis = 2_000 } = given
  return {
    rules: {
      redaction: compileRedaction(redact, `${owner}.redact`, problems),
      serializers: new Map([...standardSerializers, ...(Object.entries(serializers ?? {}) as [string, Serializer][])]),
      limits: readableLimits(limits, `${owner}.limits`, reportDiagnostic, problems),
    },
    exit: { handleExit, handleSignals, exitTimeoutMillis },
  }
}

/** An exporter's `level` is a standard one here: there is no logger that could have others. */
export function checkExporterLevel(exporter: Exporter, where: string, problems: ConfigurationProblem[]): void {
  const level = member(exporter.delivery, 'level')
  if (level === undefined || level === 'silent' || isStandardLevel(level)) return
  const message = `there is no level${quotedWord(level)}; levels are ${new Levels().names.join(', ')}, silent`
  problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path: `${where}.level`, message })
}
