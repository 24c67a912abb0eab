import type { Exporter } from '../../pipeline/exporter.ts'
import { reportInvalid } from '../../platform/node/env.ts'
import { valueOf, type Environment } from '../../platform/node/variables.ts'
import type { OtlpExporterOptions, OtlpSettings } from './options.ts'
import type { SpoolTarget } from '../spool/spool-target.ts'
import { member } from '../../options/own-members.ts'

/**
 * Returns how a spool uses `otlpExporter`: with http/json, because the files of a spool are JSON. The option `http/protobuf` is a
 * configuration problem. In the environment, `http/protobuf` is reported once and ignored.
 *
 * @param createExporter - Creates an exporter that attempts each batch once.
 */
export function otlpSpoolTarget(
  options: OtlpExporterOptions,
  settings: OtlpSettings,
  createExporter: (settings: OtlpSettings) => Exporter,
  env: Environment,
): SpoolTarget {
  const protocol = member(options, 'protocol')
  const exporter = createExporter({ ...settings, protocol: 'http/json' })
  const target: SpoolTarget = { exporter, retry: settings.retry, problems: [] }
  if (protocol === 'http/protobuf') {
    const message = 'must be http/json or omitted inside spool(), whose files are JSON'
    return { ...target, problems: [{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.protocol', message }] }
  }
  const protobufSetting = protocol === undefined ? findProtobufSetting(env) : undefined
  if (protobufSetting === undefined) return target
  const start: Exporter['start'] = (host) => {
    const [variable, value] = protobufSetting
    const message = 'is http/protobuf, but the files of a spool are JSON; http/json is used'
    reportInvalid((problem) => host.reportDiagnostic(problem.code, problem.message), variable, value, message)
    member(exporter, 'start')?.call(exporter, host)
  }
  return { ...target, exporter: { ...exporter, start } }
}

/** Returns the environment variable that selects http/protobuf, and its value; undefined if none does. */
function findProtobufSetting(env: Environment): readonly [string, string] | undefined {
  for (const variable of ['OTEL_EXPORTER_OTLP_LOGS_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const value = valueOf(env, variable)
    if (value !== undefined) return value.toLowerCase() === 'http/protobuf' ? [variable, value] : undefined
  }
  return undefined
}
