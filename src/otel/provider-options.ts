import type { Levels } from '../logger/levels.ts'
import type { ValueSerializer } from '../logger/types.ts'
import { exporterOrExporters } from '../pipeline/exporter-checks.ts'
import type { Delivery, Exporter } from '../pipeline/exporter.ts'
import { aMeterProvider, type MeterProvider } from '../pipeline/meter.ts'
import { member } from '../record/member.ts'
import {
  anything,
  callback,
  checkOptions,
  choice,
  either,
  flag,
  integer,
  list,
  object,
  options as nested,
  quotedWord,
  table,
  text,
  type Check,
} from '../record/option-checks.ts'
import { ownOptions } from '../record/own-options.ts'
import type { ConfigurationProblem, OnProblem } from '../record/problems.ts'
import type { Limits, ResolvedLimits } from '../rules/limits.ts'
import { compileRedaction, type Redact } from '../rules/redact.ts'
import type { Rules, Serializer } from '../rules/rules.ts'
import { standardSerializers } from '../rules/serializers.ts'
import type { ExitOptions } from '../delivery/destinations.ts'
import {
  defaultsOf,
  exitOf,
  profileNames,
  profileOf,
  type Profile,
  type ProfileDefaults,
} from '../delivery/profiles.ts'
import { environmentProfile, readEnvironment, type Environment } from '../runtime/env.ts'
import type { ResourceAttributes } from '../runtime/resource.ts'
import { severityNumberOf, type LoggerConfig, type LoggerRule, type LoggerSettings } from './configurator.ts'
import { recordLimits } from './limits.ts'
import { isResource, type ResourceDetector, type ResourceSettings } from './provider-resource.ts'
import type { OtelLogRecordProcessor, OtelResource } from './types.ts'

/** What `createLoggerProvider` takes. Wrong options throw one `ConfigurationError` that lists all problems. */
export interface LoggerProviderOptions extends LoggerSettings {
  /**
   * Where records go; each exporter has its own queue, level, layout and ledger. An empty array: nowhere but to `processors`,
   * which receive records before redaction. Default `fdExporter()`, in the profile `cli` `fdExporter({ fd: 2 })`.
   */
  readonly exporter?: Exporter | readonly Exporter[]
  /**
   * The path of an OpenTelemetry configuration file (`.yaml` or `.yml`), relative to the working directory. It sets
   * `exporter`, `resource`, `detectors`, `limits`, `loggers` and `defaultLogger`; an option given here replaces the file's. With
   * a file, `OTEL_*` variables apply only where the file refers to them. What is wrong in the file is thrown as a
   * `ConfigurationError` with its line and column. Default: none; `OTEL_CONFIG_FILE` is read by `sluice/register` only.
   */
  readonly configFile?: string
  /** What kind of program it is, as for `createLogger`. Default: `SLUICE_PROFILE`; `lambda` in AWS Lambda; else `service`. */
  readonly profile?: 'service' | 'lambda' | 'cli'
  /**
   * Attributes of the resource, or a resource of `@opentelemetry/resources`: over `OTEL_SERVICE_NAME` and
   * `OTEL_RESOURCE_ATTRIBUTES`, which are over what the detectors find (RES1).
   */
  readonly resource?: ResourceAttributes | OtelResource
  /**
   * Processors of OpenTelemetry's SDK, of either line, such as one that copies baggage: each record goes through them in this
   * order, and what they change is what is encoded (PRO1). They are flushed and shut down with the provider. Default: none.
   */
  readonly processors?: readonly OtelLogRecordProcessor[]
  /** Find attributes of the resource: objects with `detect()`, as the packages of OpenTelemetry have them. Default: none. */
  readonly detectors?: readonly ResourceDetector[]
  /** How long the first export waits for attributes of the resource that come later, in ms. Default 3,000. */
  readonly resourceTimeoutMillis?: number
  /**
   * How much is kept of large attributes, as OpenTelemetry specifies it: values are cut without a marker, and the body is
   * exempt. `recordBytes` is not OpenTelemetry's: a record over it, body included, is cut with markers, reported as
   * `SLUICE_RECORD_TRUNCATED` and counted in `stats().truncated`. Default: `OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT` and
   * `…_VALUE_LENGTH_LIMIT`, `OTEL_ATTRIBUTE_COUNT_LIMIT` and `…_VALUE_LENGTH_LIMIT`, else 128 attributes of any length, 64
   * levels deep, in `SLUICE_RECORD_BYTES`, else 4,000,000 bytes a record.
   */
  readonly limits?: Limits
  /** What must not be shown. An array means paths. Default: credentials in members named `headers`, nothing else. */
  readonly redact?: Redact
  /** Serializers by top-level key, beside the standard `err`, `req` and `res`. They run before redaction. */
  readonly serializers?: Readonly<Record<string, ValueSerializer>>
  /** Whether records carry the ids of their span. Default true. */
  readonly traceContext?: boolean
  /** Whether what waits is written when the process exits. Default true. */
  readonly handleExit?: boolean
  /** Whether what waits is written on SIGTERM, SIGINT and SIGHUP. Default true; in the profile `lambda` false. */
  readonly handleSignals?: boolean
  /**
   * How long the process may be kept from exiting, in ms, however it exits. An exporter that needs the event loop gets this time at
   * a natural end; what it has not exported then is dropped and counted. Default 2,000; in the profile `lambda` 200.
   */
  readonly exitTimeoutMillis?: number
  /** The time, in ms since the Unix epoch. Default `Date.now`. */
  readonly clock?: () => number
  /** Takes this package's own trouble (ERR3). Default: one line on stderr for each code and minute. */
  readonly onProblem?: OnProblem
  /**
   * Takes metrics of the provider's own pipelines (`otel.sdk.*`): the figures of `stats()`. `'global'` is the MeterProvider
   * that is registered with `@opentelemetry/api`, resolved after the first export for which there is one. Default: none.
   */
  readonly meterProvider?: MeterProvider | 'global'
}

/** The options of a provider with every choice made. */
export interface CheckedProviderOptions {
  readonly rules: Rules
  readonly exit: ExitOptions
  readonly profile: ProfileDefaults
  readonly resource: ResourceSettings
}

/** What holds where the options leave something open. */
export interface ProviderSurroundings {
  /** Where variables of OpenTelemetry are read. Default: `process.env`. */
  readonly env: Environment | undefined
  /** Limits of a configuration file. */
  readonly limits: Partial<ResolvedLimits> | undefined
}

/** Without a configuration file. */
export const noSurroundings: ProviderSurroundings = { env: undefined, limits: undefined }

/** The options that are objects with options themselves. Rules of redaction are read by themselves. */
export const optionBags: readonly string[] = ['serializers', 'limits', 'defaultLogger']

/** Finds everything that is wrong in a provider's options, and makes the choices they leave open. */
export function checkProviderOptions(
  options: LoggerProviderOptions,
  levels: Levels,
  tell: OnProblem,
  problems: ConfigurationProblem[],
  { env, limits }: ProviderSurroundings = noSurroundings,
): CheckedProviderOptions {
  checkOptions(options, schema, '', problems)
  if (options === null) return checkProviderOptions({}, levels, tell, problems)
  checkProcessorsOnly(options, problems)
  checkExporterLevels(options.exporter, levels, problems)
  const profile = defaultsOf(profileOf(options.profile, profileIn(env, tell)), options.onProblem)
  const { resource, detectors, resourceTimeoutMillis = 3_000 } = options
  return {
    rules: {
      redaction: compileRedaction(options.redact, 'redact', problems),
      serializers: new Map([
        ...standardSerializers,
        ...(Object.entries(options.serializers ?? {}) as [string, Serializer][]),
      ]),
      limits: recordLimits(options.limits, tell, problems, env, limits),
    },
    exit: exitOf(options, profile),
    profile,
    resource: { resource, detectors, resourceTimeoutMillis, env },
  }
}

/** The profile of the environment. With a configuration file, no other variable is looked at, not even to report it. */
function profileIn(env: Environment | undefined, tell: OnProblem): Profile | undefined {
  return env === undefined ? readEnvironment(tell).profile : environmentProfile(tell)
}

/** What `configure` is given as it stands now, and everything that is wrong in it. */
export function checkedSettings(given: LoggerSettings): {
  readonly settings: LoggerSettings
  readonly problems: readonly ConfigurationProblem[]
} {
  const problems: ConfigurationProblem[] = []
  const settings = ownOptions(given, '', problems, optionBags)
  checkOptions(settings, settingsSchema, '', problems)
  return { settings, problems }
}

const severity: Check = (value, where, problems) => {
  if (severityNumberOf(value) !== undefined) return
  const message = 'must be a severity number from 0 to 24 or a short name, trace to fatal4'
  problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message })
}

const configSchema: Readonly<Record<keyof LoggerConfig, Check>> = {
  enabled: flag,
  minimumSeverity: severity,
  traceBased: flag,
}

const ruleSchema: Readonly<Record<keyof LoggerRule, Check>> = { ...configSchema, name: text() }

const rule: Check = (value, where, problems) => {
  nested(ruleSchema)(value, where, problems)
  if (typeof value !== 'object' || value === null || (value as Partial<LoggerRule>).name !== undefined) return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: `${where}.name`, message: 'must be a string' })
}

const settingsSchema: Readonly<Record<keyof LoggerSettings, Check>> = {
  loggers: (value, where, problems) => (typeof value === 'function' ? undefined : list(rule)(value, where, problems)),
  defaultLogger: nested(configSchema),
}

const processor: Check = (value, where, problems) => {
  const { onEmit, shutdown } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Partial<OtelLogRecordProcessor>
  if (typeof onEmit === 'function' && typeof shutdown === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a LogRecordProcessor of OpenTelemetry' })
}

const resourceValue: Check = (value, where, problems) => {
  object(value, where, problems)
  // A resource of another package knows itself what may stand in it.
  if (isResource(value)) return
  table(either('a string, a number or a boolean', text(), flag, number))(value, where, problems)
}

const number: Check = (value, where, problems) => {
  if (typeof value !== 'number') problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a number' })
}

const detector: Check = (value, where, problems) => {
  if (typeof (value as Partial<ResourceDetector> | null | undefined)?.detect === 'function') return
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an object with a function detect' })
}

const schema: Readonly<Record<keyof LoggerProviderOptions, Check>> = {
  ...settingsSchema,
  exporter: (value, where, problems) =>
    Array.isArray(value) && value.length === 0 ? undefined : exporterOrExporters(value, where, problems),
  configFile: text(/./, 'name a file'),
  profile: choice(profileNames),
  processors: list(processor),
  resource: resourceValue,
  detectors: list(detector),
  resourceTimeoutMillis: integer(0, 2_147_483_647),
  limits: nested({
    depth: anything,
    attributes: anything,
    items: anything,
    stringLength: anything,
    recordBytes: anything,
    stackFrames: anything,
  }),
  redact: anything,
  serializers: table(callback),
  traceContext: flag,
  handleExit: flag,
  handleSignals: flag,
  exitTimeoutMillis: integer(0),
  clock: callback,
  onProblem: callback,
  meterProvider: (value, where, problems) => (value === 'global' ? undefined : aMeterProvider(value, where, problems)),
}

/** Without an exporter there must be processors, and nothing redacts what they receive. */
function checkProcessorsOnly(options: LoggerProviderOptions, problems: ConfigurationProblem[]): void {
  const { exporter, processors, redact, defaultLogger } = options
  if (!Array.isArray(exporter) || exporter.length > 0) return
  if (!Array.isArray(processors) || (processors.length === 0 && defaultLogger?.enabled !== false)) {
    const message = 'must hold an exporter where there are no processors'
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: 'exporter', message })
  }
  if (redact === undefined) return
  const message =
    'has no effect without an exporter: give it to a PipelineLogRecordProcessor or EncodingLogRecordExporter'
  problems.push({ code: 'SLUICE_OPTION_CONFLICT', path: 'redact', message })
}

function checkExporterLevels(
  given: LoggerProviderOptions['exporter'],
  levels: Levels,
  problems: ConfigurationProblem[],
): void {
  const exporters = given === undefined ? [] : [given].flat()
  exporters.forEach((exporter: Exporter | undefined, index) => {
    const level = levelOf(exporter)
    if (typeof level !== 'string' || levels.threshold(level) !== undefined) return
    const path = Array.isArray(given) ? `exporter[${index}].level` : 'exporter.level'
    const message = `there is no level${quotedWord(level)}; levels are ${levels.names.join(', ')}, silent`
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
  })
}

function levelOf(exporter: Exporter | undefined): unknown {
  try {
    return member(Object(exporter?.delivery) as Delivery, 'level')
  } catch {
    return undefined // told as no exporter
  }
}
