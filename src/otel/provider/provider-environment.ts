import { fdExporter } from '../../exporters/fd/fd-exporter.ts'
import { pickDeliveryOptions } from '../../exporters/exporter-options.ts'
import { otlpExporter } from '../../exporters/otlp/otlp-exporter.ts'
import type { Delivery, Exporter } from '../../pipeline/exporter.ts'
import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { maxTimerMillis } from '../../options/option-checks.ts'
import { configFileIn, reportInvalid } from '../../platform/node/env.ts'
import { valueOf, type Environment } from '../../platform/node/variables.ts'
import { isWrittenAt } from '../../lifecycle/diagnostic-levels.ts'
import { readConfigFile } from '../configuration-file/config-file.ts'
import { createConfiguredProvider, type LoggerProvider } from './provider.ts'
import type { ResourceDetector } from './provider-resource.ts'
import { createBuiltInDetector, type DetectorName } from './resource-detectors.ts'

/**
 * Creates the provider that the environment configures, if any. When `OTEL_CONFIG_FILE` names a configuration file, other variables of
 * OpenTelemetry apply only where the file refers to them. Otherwise it reads `OTEL_SDK_DISABLED`, `OTEL_LOGS_EXPORTER`, `OTEL_BLRP_*`,
 * `OTEL_NODE_RESOURCE_DETECTORS` and `OTEL_NODE_EXPERIMENTAL_SDK_METRICS`; the exporters, limits and resource read their own
 * variables. An invalid variable is reported as `SLUICE_ENV_INVALID`, a provider that cannot be created as
 * `SLUICE_REGISTER_FAILED`. Never throws.
 */
export function providerFromEnvironment(
  reportDiagnostic: OnDiagnostic,
  env: Environment = process.env,
): LoggerProvider | undefined {
  try {
    const path = configFileIn(env)
    return path === undefined
      ? providerFromVariables(reportDiagnostic, env)
      : providerFromFile(path, reportDiagnostic, env)
  } catch (error) {
    // For example, standard output is already in use with other options, or the system denies a resource that an exporter needs.
    const why = error instanceof Error ? error.message : 'unknown'
    reportDiagnostic({
      code: 'SLUICE_REGISTER_FAILED',
      message: `no LoggerProvider could be created from the environment: ${why}`,
    })
    return undefined
  }
}

function providerFromFile(path: string, reportDiagnostic: OnDiagnostic, env: Environment): LoggerProvider | undefined {
  const file = readConfigFile(path, env, 'the file of OTEL_CONFIG_FILE')
  if (file.provider !== undefined) return createConfiguredProvider({}, file)
  if (file.warning !== undefined && isWrittenAt(file.logLevel, 'warn'))
    reportDiagnostic({ code: 'SLUICE_CONFIG_FILE_IGNORED', message: file.warning })
  return undefined
}

function providerFromVariables(reportDiagnostic: OnDiagnostic, env: Environment): LoggerProvider | undefined {
  if (isTrue('OTEL_SDK_DISABLED', env, reportDiagnostic)) return undefined
  const exporters = exporterNames(env, reportDiagnostic)
  if (exporters.length === 0) return undefined
  return createConfiguredProvider({
    exporter: exporters.map((name) => exporterFactories[name](env, reportDiagnostic)),
    detectors: detectorsIn(env, reportDiagnostic),
    ...(isTrue('OTEL_NODE_EXPERIMENTAL_SDK_METRICS', env, reportDiagnostic) ? { meterProvider: 'global' } : {}),
  })
}

type ExporterName = 'otlp' | 'console' | 'otlp/stdout'

const exporterFactories: Readonly<
  Record<ExporterName, (env: Environment, reportDiagnostic: OnDiagnostic) => Exporter>
> = {
  otlp: (env, reportDiagnostic) => otlpExporter(batchDelivery(env, reportDiagnostic)),
  // `console` has the default format, which is human-readable on a terminal. `otlp/stdout` is for programs.
  console: () => fdExporter(),
  'otlp/stdout': () => fdExporter({ format: 'otlpJson' }),
}

function isTrue(variable: string, env: Environment, reportDiagnostic: OnDiagnostic): boolean {
  const value = valueOf(env, variable)?.toLowerCase()
  if (value !== undefined && value !== 'true' && value !== 'false')
    reportInvalid(reportDiagnostic, variable, value, 'must be true or false; it counts as false')
  return value === 'true'
}

const allDetectors: readonly DetectorName[] = ['host', 'os', 'serviceinstance', 'process']

/**
 * Returns the detectors listed in `OTEL_NODE_RESOURCE_DETECTORS`, as the official `NodeSDK` reads it; unset means `all`. The name `env`
 * has no effect, because the resource variables always apply. `service` is accepted for `serviceinstance`, because it is the name of
 * that detector in configuration files.
 */
function detectorsIn(env: Environment, reportDiagnostic: OnDiagnostic): ResourceDetector[] {
  const value = valueOf(env, 'OTEL_NODE_RESOURCE_DETECTORS')
  const words = (value ?? 'all').split(',').map((word) => word.trim().toLowerCase())
  const listedNames = new Set(
    words.filter((word) => word !== '').map((word) => (word === 'service' ? 'serviceinstance' : word)),
  )
  if (listedNames.has('all')) return allDetectors.map((name) => createBuiltInDetector(name))
  if (listedNames.has('none')) return []
  const unknown = [...listedNames].filter((word) => word !== 'env' && !allDetectors.some((name) => name === word))
  if (unknown.length > 0) {
    const message = `must be all, none, or a list of env, ${allDetectors.join(', ')}; other names are ignored`
    reportInvalid(reportDiagnostic, 'OTEL_NODE_RESOURCE_DETECTORS', value!, message)
  }
  return allDetectors.filter((name) => listedNames.has(name)).map((name) => createBuiltInDetector(name))
}

/**
 * Returns the names of the exporters listed in `OTEL_LOGS_EXPORTER`, each once; an empty array for `none`. A list without a known name
 * counts as unset, which means `otlp`.
 */
function exporterNames(env: Environment, reportDiagnostic: OnDiagnostic): ExporterName[] {
  const value = valueOf(env, 'OTEL_LOGS_EXPORTER')
  const words = (value ?? '').split(',').map((word) => word.trim().toLowerCase())
  const listedNames = [...new Set(words)].filter((word) => word !== '')
  if (listedNames.length === 1 && listedNames[0] === 'none') return []
  const names = listedNames.filter((word): word is ExporterName => Object.hasOwn(exporterFactories, word))
  if (names.length < listedNames.length) {
    const message = 'must be none, or a list of otlp, console, otlp/stdout; other names are ignored'
    reportInvalid(reportDiagnostic, 'OTEL_LOGS_EXPORTER', value!, message)
  }
  return names.length === 0 ? ['otlp'] : names
}

/**
 * Returns the delivery options that `OTEL_BLRP_*` sets. The exporter's defaults apply to unset variables: its queue is larger than
 * OpenTelemetry's default, so that records logged during an outage are kept. A batch size is limited to the queue size if both are set.
 */
function batchDelivery(env: Environment, reportDiagnostic: OnDiagnostic): Delivery {
  const integer = (name: string, minimum: number) => integerIn(env, `OTEL_BLRP_${name}`, minimum, reportDiagnostic)
  const maxQueueSize = integer('MAX_QUEUE_SIZE', 1)
  const batchSize = integer('MAX_EXPORT_BATCH_SIZE', 1)
  const delivery: { [name in keyof Delivery]: number | undefined } = {
    scheduledDelayMillis: integer('SCHEDULE_DELAY', 0),
    exportTimeoutMillis: integer('EXPORT_TIMEOUT', 0),
    maxQueueSize,
    maxExportBatchSize: batchSize === undefined ? undefined : Math.min(batchSize, maxQueueSize ?? Infinity),
  }
  return pickDeliveryOptions(delivery as Delivery)
}

/** The maximum of the variables: the maximum delay of a timer, in ms. Sizes in records have the same maximum. */
const maxValue = maxTimerMillis

function integerIn(
  env: Environment,
  variable: string,
  minimum: number,
  reportDiagnostic: OnDiagnostic,
): number | undefined {
  const value = valueOf(env, variable)
  if (value === undefined) return undefined
  const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN
  if (number >= minimum && number <= maxValue) return number
  reportInvalid(reportDiagnostic, variable, value, `must be an integer of ${minimum} or more; it is ignored`)
  return undefined
}
