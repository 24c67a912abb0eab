import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { reportInvalid } from './env.ts'
import { valueOf, type Environment } from './variables.ts'
import { endpointOf, isValidEndpoint, logsEndpoint } from './otlp-endpoint.ts'
import { parseHeaderList, type HeaderMap } from './otlp-header-list.ts'

/** The settings for logs in `OTEL_EXPORTER_OTLP_*`. A setting is undefined if it is unset or invalid; `headers` is then empty. */
export interface OtlpEnvironment {
  /** `…_LOGS_ENDPOINT` unchanged, otherwise `v1/logs` below `…_ENDPOINT`. */
  readonly url: URL | undefined
  readonly protocol: 'http/protobuf' | 'http/json' | undefined
  /** The headers of both variables. If both set the same header, the one for logs takes precedence. */
  readonly headers: HeaderMap
  readonly compression: 'gzip' | 'none' | undefined
  /** The time limit in ms; 0: no limit. */
  readonly timeoutMillis: number | undefined
  /** Paths of PEM files: the certificate authorities, the client certificate, and its key. */
  readonly caFile: string | undefined
  readonly certFile: string | undefined
  readonly keyFile: string | undefined
}

/**
 * Reads `OTEL_EXPORTER_OTLP_*` as OpenTelemetry specifies: the variable for logs takes precedence over the one for all
 * signals, an empty variable is unset, and words are case-insensitive. An invalid value is reported as `SLUICE_ENV_INVALID`,
 * once for each variable and value (never without `reportDiagnostic`), and counts as unset. Never throws.
 */
export function readOtlpEnvironment(
  reportDiagnostic: OnDiagnostic | undefined,
  env: Environment = process.env,
): OtlpEnvironment {
  const read: ReadSetting = (name, parse) => {
    for (const variable of [`OTEL_EXPORTER_OTLP_LOGS_${name}`, `OTEL_EXPORTER_OTLP_${name}`]) {
      const value = valueOf(env, variable)
      const parsed =
        value === undefined
          ? undefined
          : parse(value, (problem) => reportInvalid(reportDiagnostic, variable, value, problem))
      if (parsed !== undefined) return parsed
    }
    return undefined
  }
  return {
    url: endpointUrl(reportDiagnostic, env),
    protocol: read('PROTOCOL', parseProtocol),
    headers: new Map([...headersOf('', reportDiagnostic, env), ...headersOf('LOGS_', reportDiagnostic, env)]),
    compression: read('COMPRESSION', oneOf('gzip', 'none')),
    timeoutMillis: read('TIMEOUT', parseMillis),
    caFile: read('CERTIFICATE', String),
    certFile: read('CLIENT_CERTIFICATE', String),
    keyFile: read('CLIENT_KEY', String),
  }
}

/** Parses a value, or calls `reportProblem` with what is wrong with it, and returns undefined. */
type Parse<T> = (value: string, reportProblem: (problem: string) => void) => T | undefined
/** Returns the setting of a name: of the first variable with a valid value. */
type ReadSetting = <T>(name: string, parse: Parse<T>) => T | undefined

function endpointUrl(reportDiagnostic: OnDiagnostic | undefined, env: Environment): URL | undefined {
  const urlIn = (variable: string): URL | undefined => {
    const value = valueOf(env, variable)
    if (value === undefined) return undefined
    const endpoint = endpointOf(value)
    if (isValidEndpoint(endpoint)) return endpoint.url
    reportInvalid(reportDiagnostic, variable, value, `${endpoint.problem}; it is ignored`)
    return undefined
  }
  const logsUrl = urlIn('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT')
  if (logsUrl !== undefined) return logsUrl
  const baseUrl = urlIn('OTEL_EXPORTER_OTLP_ENDPOINT')
  return baseUrl === undefined ? undefined : logsEndpoint(baseUrl)
}

function headersOf(signal: '' | 'LOGS_', reportDiagnostic: OnDiagnostic | undefined, env: Environment): HeaderMap {
  const variable = `OTEL_EXPORTER_OTLP_${signal}HEADERS`
  const value = valueOf(env, variable)
  if (value === undefined) return new Map()
  return parseHeaderList(value, (problem) =>
    reportInvalid(reportDiagnostic, variable, value, `has an entry that ${problem}; it is ignored`),
  )
}

const parseProtocol: Parse<'http/protobuf' | 'http/json'> = (value, reportProblem) => {
  if (value.toLowerCase() !== 'grpc') return oneOf('http/protobuf', 'http/json')(value, reportProblem)
  reportProblem('is grpc, which otlpExporter does not support; HTTP is used')
  return undefined
}

function oneOf<W extends string>(...words: readonly W[]): Parse<W> {
  return (value, reportProblem) => {
    const known = words.find((word) => word === value.toLowerCase())
    if (known === undefined) reportProblem(`must be one of ${words.join(', ')}; it is ignored`)
    return known
  }
}

/** Parses a time limit in ms. The maximum is the longest delay of a timer, about 24 days. */
const parseMillis: Parse<number> = (value, reportProblem) => {
  const number = /^\d+$/.test(value) ? Number(value) : NaN
  if (number <= 2_147_483_647) return number
  reportProblem('must be a number of milliseconds; it is ignored')
  return undefined
}
