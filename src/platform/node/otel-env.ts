import type { OnDiagnostic } from '../../options/configuration-error.ts'
import { reportInvalid, valueOf, type Environment } from './env.ts'
import { endpointOf, isUrl, logsEndpoint } from './otlp-endpoint.ts'
import { headerList, type Headers } from './otlp-header-list.ts'

/** The settings for logs in `OTEL_EXPORTER_OTLP_*`. A setting is undefined if it is unset or invalid. */
export interface OtlpEnvironment {
  /** `…_LOGS_ENDPOINT` unchanged, otherwise `v1/logs` below `…_ENDPOINT` (OTL3). */
  readonly url: URL | undefined
  readonly protocol: 'http/protobuf' | 'http/json' | undefined
  /** The headers of both variables. If both set the same header, the one for logs takes precedence. */
  readonly headers: Headers
  readonly compression: 'gzip' | 'none' | undefined
  /** The time limit in ms; 0: no limit. */
  readonly timeoutMillis: number | undefined
  /** Paths of PEM files: the certificate authorities, the client certificate, and its key. */
  readonly caFile: string | undefined
  readonly certFile: string | undefined
  readonly keyFile: string | undefined
}

/**
 * Reads `OTEL_EXPORTER_OTLP_*` as OpenTelemetry specifies: the variable for logs takes precedence over the one for all signals
 * (OTL4), an empty variable is unset, and words are case-insensitive. An invalid value is reported as `SLUICE_ENV_INVALID`,
 * once for each variable and value (never without `reportDiagnostic`), and counts as unset. Never throws.
 */
export function readOtlpEnvironment(
  reportDiagnostic: OnDiagnostic | undefined,
  env: Environment = process.env,
): OtlpEnvironment {
  const read: Reader = (name, parse) => {
    for (const variable of [`OTEL_EXPORTER_OTLP_LOGS_${name}`, `OTEL_EXPORTER_OTLP_${name}`]) {
      const value = valueOf(env, variable)
      const parsed =
        value === undefined ? undefined : parse(value, (what) => reportInvalid(reportDiagnostic, variable, value, what))
      if (parsed !== undefined) return parsed
    }
    return undefined
  }
  return {
    url: endpoint(reportDiagnostic, env),
    protocol: read('PROTOCOL', protocolOf),
    headers: new Map([...headers('', reportDiagnostic, env), ...headers('LOGS_', reportDiagnostic, env)]),
    compression: read('COMPRESSION', word('gzip', 'none')),
    timeoutMillis: read('TIMEOUT', millis),
    caFile: read('CERTIFICATE', String),
    certFile: read('CLIENT_CERTIFICATE', String),
    keyFile: read('CLIENT_KEY', String),
  }
}

/** Parses a value, or calls `wrong` with the problem. */
type Parse<T> = (value: string, wrong: (what: string) => void) => T | undefined
type Reader = <T>(name: string, parse: Parse<T>) => T | undefined

function endpoint(reportDiagnostic: OnDiagnostic | undefined, env: Environment): URL | undefined {
  const urlIn = (variable: string): URL | undefined => {
    const value = valueOf(env, variable)
    if (value === undefined) return undefined
    const found = endpointOf(value)
    if (isUrl(found)) return found.url
    reportInvalid(reportDiagnostic, variable, value, `${found.problem}; it is ignored`)
    return undefined
  }
  const own = urlIn('OTEL_EXPORTER_OTLP_LOGS_ENDPOINT')
  if (own !== undefined) return own
  const base = urlIn('OTEL_EXPORTER_OTLP_ENDPOINT')
  return base === undefined ? undefined : logsEndpoint(base)
}

function headers(signal: '' | 'LOGS_', reportDiagnostic: OnDiagnostic | undefined, env: Environment): Headers {
  const variable = `OTEL_EXPORTER_OTLP_${signal}HEADERS`
  const value = valueOf(env, variable)
  if (value === undefined) return new Map()
  return headerList(value, (what) =>
    reportInvalid(reportDiagnostic, variable, value, `has an entry that ${what}; it is ignored`),
  )
}

const protocolOf: Parse<'http/protobuf' | 'http/json'> = (value, wrong) => {
  if (value.toLowerCase() !== 'grpc') return word('http/protobuf', 'http/json')(value, wrong)
  wrong('is grpc, which otlpExporter does not support; HTTP is used')
  return undefined
}

function word<W extends string>(...words: readonly W[]): Parse<W> {
  return (value, wrong) => {
    const known = words.find((one) => one === value.toLowerCase())
    if (known === undefined) wrong(`must be one of ${words.join(', ')}; it is ignored`)
    return known
  }
}

/** Parses a time limit. The longest delay of a timer is about 24 days. */
const millis: Parse<number> = (value, wrong) => {
  const number = /^\d+$/.test(value) ? Number(value) : NaN
  if (number <= 2_147_483_647) return number
  wrong('must be a number of milliseconds; it is ignored')
  return undefined
}
