import { foreignProviderOptionNames } from '../../options/foreign-provider-names.ts'
import { unknownLevelName } from '../../levels/directive-problems.ts'
import type { Levels } from '../../logger/levels.ts'
import type { Delivery, Exporter } from '../../pipeline/exporter.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'
import { checkOptions } from '../../options/option-checks.ts'
import type { ConfigurationProblem, OnDiagnostic } from '../../options/configuration-error.ts'
import type { ResolvedLimits } from '../../values/limits.ts'
import { compileRedaction } from '../../redact/redact.ts'
import type { Rules, Serializer } from '../../values/record-rules.ts'
import { standardSerializers } from '../../values/serializers.ts'
import type { ExitOptions } from '../../lifecycle/destinations.ts'
import {
  defaultsOfProfile,
  exitOptionsOf,
  profileOf,
  type Profile,
  type ProfileDefaults,
} from '../../lifecycle/profiles.ts'
import { environmentProfile, readEnvironment } from '../../platform/node/env.ts'
import type { Environment } from '../../platform/node/variables.ts'
import { recordLimits } from '../api/limits.ts'
import { providerSchema } from './provider-option-schema.ts'
import type { LoggerProviderOptions } from './provider-options.ts'
import type { ResourceSettings } from './provider-resource.ts'

/** The settings of a provider that its options, the environment, a configuration file and the defaults determine together. */
export interface ResolvedProviderOptions {
  readonly rules: Rules
  readonly exit: ExitOptions
  readonly profileDefaults: ProfileDefaults
  readonly resource: ResourceSettings
}

/** Where the values of options that are not set come from. */
export interface FallbackSources {
  /** The environment to read OpenTelemetry's variables from; undefined for `process.env`. Empty with a configuration file. */
  readonly env: Environment | undefined
  /** The limits that a configuration file sets; undefined without a file. */
  readonly limits: Partial<ResolvedLimits> | undefined
}

/** The sources if there is no configuration file, or if it disables the SDK or has no `logger_provider`. */
export const sourcesWithoutFile: FallbackSources = { env: undefined, limits: undefined }

/** The names of options whose values are objects that `copyOptions` copies too. `compileRedaction` copies `redact` itself. */
export const nestedOptionNames: readonly string[] = ['serializers', 'limits', 'defaultLogger']

/** Validates the options of a provider and applies defaults. Adds all problems to `problems`. */
export function checkProviderOptions(
  options: LoggerProviderOptions,
  levels: Levels,
  reportDiagnostic: OnDiagnostic,
  problems: ConfigurationProblem[],
  { env, limits }: FallbackSources = sourcesWithoutFile,
): ResolvedProviderOptions {
  checkOptions(options, providerSchema, '', problems, foreignProviderOptionNames)
  if (typeof options !== 'object' || options === null)
    return checkProviderOptions(withoutPrototype({}), levels, reportDiagnostic, problems)
  checkProcessorsOnly(options, problems)
  checkExporterLevels(options.exporter, levels, problems)
  const profileDefaults = defaultsOfProfile(profileOf(options.profile, profileIn(env, reportDiagnostic)), {
    hasOnDiagnostic: options.onDiagnostic !== undefined,
  })
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
    exit: exitOptionsOf(options, profileDefaults),
    profileDefaults,
    resource: { resource, detectors, resourceTimeoutMillis, env },
  }
}

/**
 * Returns the profile that the environment sets. With a configuration file (`env` is defined), only the variables of the profile are
 * read, so that invalid values of others are not reported.
 */
function profileIn(env: Environment | undefined, reportDiagnostic: OnDiagnostic): Profile | undefined {
  return env === undefined ? readEnvironment(reportDiagnostic).profile : environmentProfile(reportDiagnostic)
}

/**
 * Checks a provider without exporters: it must have processors or be disabled, and it must not have `redact`, which would have no effect
 * on the records that processors receive.
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
  exporterOption: LoggerProviderOptions['exporter'],
  levels: Levels,
  problems: ConfigurationProblem[],
): void {
  const exporters = exporterOption === undefined ? [] : [exporterOption].flat()
  exporters.forEach((exporter: Exporter | undefined, index) => {
    const level = levelOf(exporter)
    if (typeof level !== 'string' || levels.threshold(level) !== undefined) return
    const path = Array.isArray(exporterOption) ? `exporter[${index}].level` : 'exporter.level'
    const message = unknownLevelName(level, levels)
    problems.push({ code: 'SLUICE_LEVEL_UNKNOWN', path, message })
  })
}

function levelOf(exporter: Exporter | undefined): unknown {
  try {
    return member(Object(member(Object(exporter) as Partial<Exporter>, 'delivery')) as Delivery, 'level')
  } catch {
    return undefined // reading it threw; the check of the exporter reports that
  }
}
