import type { Levels } from '../../logger/levels.ts'
import type { Delivery, Exporter } from '../../pipeline/exporter.ts'
import { member, ownCopy } from '../../options/own-members.ts'
import { checkOptions, unknownName } from '../../options/option-checks.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import { compileRedaction } from '../../redact/redact.ts'
import type { Rules, Serializer } from '../../values/record-rules.ts'
import { standardSerializers } from '../../values/serializers.ts'
import type { ExitOptions } from '../../lifecycle/destinations.ts'
import { defaultsOf, exitOf, profileOf, type Profile, type ProfileDefaults } from '../../lifecycle/profiles.ts'
import { environmentProfile, readEnvironment, type Environment } from '../../platform/node/env.ts'
import { recordLimits } from '../api/limits.ts'
import { providerSchema } from './provider-option-schema.ts'
import type { LoggerProviderOptions } from './provider-options.ts'
import type { ResourceSettings } from './provider-resource.ts'

/** The validated options of a provider with all defaults applied. */
export interface CheckedProviderOptions {
  readonly rules: Rules
  readonly exit: ExitOptions
  readonly profile: ProfileDefaults
  readonly resource: ResourceSettings
}

/** The sources of values for options that are not set. */
export interface ProviderRuntime {
  /** The environment to read OpenTelemetry's variables from. Default: `process.env`. */
  readonly env: Environment | undefined
  /** Limits of a configuration file. */
  readonly limits: Partial<ResolvedLimits> | undefined
}

/** The sources used when there is no configuration file. */
export const noRuntime: ProviderRuntime = { env: undefined, limits: undefined }

/** The options that are objects with nested options. Redaction rules are validated separately. */
export const optionBags: readonly string[] = ['serializers', 'limits', 'defaultLogger']

/** Validates the options of a provider and applies defaults. Adds all problems to `problems`. */
export function checkProviderOptions(
  options: LoggerProviderOptions,
  levels: Levels,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  { env, limits }: ProviderRuntime = noRuntime,
): CheckedProviderOptions {
  checkOptions(options, providerSchema, '', problems)
  if (typeof options !== 'object' || options === null)
    return checkProviderOptions(ownCopy({}), levels, reportDiagnostic, problems)
  checkProcessorsOnly(options, problems)
  checkExporterLevels(options.exporter, levels, problems)
  const profile = defaultsOf(profileOf(options.profile, profileIn(env, reportDiagnostic)), options.onDiagnostic)
  const { resource, detectors, resourceTimeoutMillis = 3_000 } = options
  return {
    rules: {
      redaction: compileRedaction(options.redact, 'redact', problems),
      serializers: new Map([
        ...standardSerializers,
        ...(Object.entries(options.serializers ?? {}) as [string, Serializer][]),
      ]),
      limits: recordLimits(options.limits, reportDiagnostic, problems, env, limits),
    },
    exit: exitOf(options, profile),
    profile,
    resource: { resource, detectors, resourceTimeoutMillis, env },
  }
}

/** Returns the profile set by the environment. With a configuration file, no other variable is read, not even to report it. */
function profileIn(env: Environment | undefined, reportDiagnostic: OnDiagnostic): Profile | undefined {
  return env === undefined ? readEnvironment(reportDiagnostic).profile : environmentProfile(reportDiagnostic)
}

/**
 * Checks a provider without exporters: it must have processors, and `redact` would have no effect on the records that they receive.
 */
function checkProcessorsOnly(options: LoggerProviderOptions, problems: ConfigurationProblem[]): void {
  const { exporter, processors, redact, defaultLogger } = options
  if (!Array.isArray(exporter) || exporter.length > 0) return
  if (!Array.isArray(processors) || (processors.length === 0 && defaultLogger?.enabled !== false)) {
    const message = 'must have at least one exporter if there are no processors'
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: 'exporter', message })
  }
  if (redact === undefined) return
  const message =
    'has no effect without an exporter: set it on a PipelineLogRecordProcessor or EncodingLogRecordExporter'
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
    const message = unknownName('level', level, [...levels.names, 'silent'])
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
  })
}

function levelOf(exporter: Exporter | undefined): unknown {
  try {
    return member(Object(member(Object(exporter) as Partial<Exporter>, 'delivery')) as Delivery, 'level')
  } catch {
    return undefined // reported elsewhere as an invalid exporter
  }
}
