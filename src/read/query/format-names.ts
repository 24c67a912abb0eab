import type { FormatName } from '../record.ts'

// An object, so that the compiler reports a format that is missing here.
const formats: Readonly<Record<FormatName, true>> = {
  sluice: true,
  otel: true,
  otlp: true,
  pino: true,
  bunyan: true,
  winston: true,
  tslog: true,
  logtape: true,
  ecs: true,
  gcp: true,
  datadog: true,
  json: true,
  logfmt: true,
  journald: true,
  syslog: true,
  access: true,
  text: true,
}

/** The names of all formats. */
export const formatNames: readonly string[] = Object.keys(formats)
