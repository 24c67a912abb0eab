import type { Exporter } from '../../pipeline/exporter.ts'
import { reportInvalid, valueOf, type Environment } from '../../platform/node/env.ts'
import type { OtlpExporterOptions, OtlpSettings } from './options.ts'
import type { SpoolTarget } from '../spool/spoolable.ts'
import { member } from '../../options/own-members.ts'

/**
 * Returns how `otlpExporter` is used with a spool, whose files are JSON: it uses http/json. An option `http/protobuf` is a
 * configuration problem; in the environment it is reported once and ignored.
 *
 * @param singleAttempt - Creates an exporter that attempts each batch once.
 */
export function otlpSpoolTarget(
  options: OtlpExporterOptions,
  settings: OtlpSettings,
  singleAttempt: (settings: OtlpSettings) => Exporter,
  env: Environment,
): SpoolTarget {
  const protocol = member(options, 'protocol')
  const exporter = singleAttempt({ ...settings, protocol: 'http/json' })
  const end: SpoolTarget = { exporter, retry: settings.retry, problems: [] }
  if (protocol === 'http/protobuf') {
    const message = 'must be http/json or omitted inside spool(), whose files are JSON'
    return { ...end, problems: [{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.protocol', message }] }
  }
  const setting = protocol === undefined ? protobufIn(env) : undefined
  if (setting === undefined) return end
  const start: Exporter['start'] = (host) => {
    const [variable, value] = setting
    const message = 'is http/protobuf, but the files of a spool are JSON; http/json is used'
    reportInvalid((problem) => host.reportDiagnostic(problem.code, problem.message), variable, value, message)
    member(exporter, 'start')?.call(exporter, host)
  }
  return { ...end, exporter: { ...exporter, start } }
}

/** Returns the variable that selects protobuf and its value, if there is one. */
function protobufIn(env: Environment): readonly [string, string] | undefined {
  for (const variable of ['OTEL_EXPORTER_OTLP_LOGS_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) {
    const value = valueOf(env, variable)
    if (value !== undefined) return value.toLowerCase() === 'http/protobuf' ? [variable, value] : undefined
  }
  return undefined
}
