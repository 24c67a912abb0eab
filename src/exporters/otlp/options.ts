import type { Delivery } from '../../pipeline/exporter.ts'
import {
  choice,
  integer,
  options as optionsOf,
  text,
  typeName,
  type Check,
  type OptionSchema,
} from '../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import type { Environment } from '../../platform/node/env.ts'
import { readOtlpEnvironment } from '../../platform/node/otel-env.ts'
import { endpointOf, isUrl } from '../../platform/node/otlp-endpoint.ts'
import { checkedOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporter-options.ts'
import { headerOption, HeaderSource, type HeaderOption } from './headers.ts'
import { tlsOptions, TlsSource, type OtlpTls } from './tls.ts'
import { retrySchema, type RetryOptions } from '../retry/retry-options.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/**
 * Options of `otlpExporter`. Options that are not set are read from the environment: `OTEL_EXPORTER_OTLP_LOGS_…`, then
 * `OTEL_EXPORTER_OTLP_…`.
 */
export interface OtlpExporterOptions extends Delivery {
  /**
   * The exact URL that logs are sent to; no path is added.
   *
   * @defaultValue `http://localhost:4318/v1/logs`
   */
  readonly url?: string
  /**
   * The encoding of requests.
   *
   * @defaultValue `http/protobuf`
   */
  readonly protocol?: 'http/protobuf' | 'http/json'
  /**
   * The compression of requests.
   *
   * @defaultValue `none`
   */
  readonly compression?: 'gzip' | 'none'
  /**
   * The time limit of one attempt of a batch, in ms, from the DNS lookup to the last byte of the response; 0: no limit. Each
   * retry has its own limit; `retry.maxElapsedMillis` limits the time of all attempts.
   *
   * @defaultValue 10,000
   */
  readonly timeoutMillis?: number
  /**
   * Headers of each request, which override those of the environment: an object, or a function that returns them or a promise
   * of them and is called for each attempt, for example to read a token that expires.
   */
  readonly headers?: HeaderOption
  /** Certificates for `https:`. The server's certificate is always verified. */
  readonly tls?: OtlpTls
  /**
   * An `http.Agent` or `https.Agent` to use instead of this exporter's own, for example one for a proxy. `shutdown()` does not
   * close it. It requires the event loop: the process stays alive until all records are sent or dropped, `process.exit()` loses
   * queued records, and `onFull: 'block'` is not possible.
   */
  readonly agent?: object
  /**
   * How a batch is retried that was not accepted.
   *
   * @defaultValue retries for two minutes
   */
  readonly retry?: RetryOptions
  /**
   * The maximum size of a request in bytes before compression. A larger batch is sent in several requests; a record that is
   * larger by itself counts as `too_large`.
   *
   * @defaultValue 16 MiB, which is below the Collector's limit of 20 MiB and not more than the queue holds
   */
  readonly maxRequestBytes?: number
}

/** The resolved settings of an exporter. */
export interface OtlpSettings {
  readonly url: URL
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly compression: 'gzip' | 'none'
  readonly timeoutMillis: number
  readonly headers: HeaderSource
  readonly tls: TlsSource
  readonly agent: object | undefined
  readonly retry: RetryOptions
  readonly maxRequestBytes: number
  readonly delivery: Delivery
  readonly delayMillis: number
}

/** Limit the number of queued records too: their encoded text is short, but their representation in a collector is not. */
const defaultQueueSize = 16_384
const defaultBatchSize = 512
const mebibyte = 1024 * 1024

/**
 * Resolves the settings. Precedence is: options, environment, defaults.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function otlpSettings(given: OtlpExporterOptions, env?: Environment): OtlpSettings {
  const { own: options, problems } = checkedOptions('otlpExporter', given, schema, ['headers', 'tls', 'retry'])
  throwIfInvalid(problems)
  // Problems in the environment are reported when the exporter starts and has a host.
  const fromEnv = readOtlpEnvironment(undefined, env)
  // With a URL from the environment this would be an error of the environment, which never throws: the requests fail, which is
  // reported.
  if (options.url !== undefined || fromEnv.url === undefined)
    throwIfInvalid(agentProblems(options.agent, urlOf(options.url)))
  const { maxQueueSize = defaultQueueSize, maxExportBatchSize = Math.min(defaultBatchSize, maxQueueSize) } = options
  // Do not let the profile choose `block`: a log call would wait as long as the collector does not respond.
  const { onFull = 'dropLowest' } = options
  const { caFile, certFile, keyFile } = fromEnv
  return {
    url: options.url === undefined && fromEnv.url !== undefined ? fromEnv.url : urlOf(options.url),
    protocol: options.protocol ?? fromEnv.protocol ?? 'http/protobuf',
    compression: options.compression ?? fromEnv.compression ?? 'none',
    timeoutMillis: options.timeoutMillis ?? fromEnv.timeoutMillis ?? 10_000,
    headers: new HeaderSource(fromEnv.headers, options.headers, delay),
    tls: new TlsSource(ownCopy({ ...withValue({ caFile, certFile, keyFile }), ...withValue(options.tls ?? {}) })),
    agent: options.agent,
    retry: ownCopy(options.retry ?? {}),
    maxRequestBytes: options.maxRequestBytes ?? 16 * mebibyte,
    // Do not set `exportTimeoutMillis` by default: it would end the retries of a batch, which `retry` already limits.
    delivery: ownCopy({ ...pickDeliveryOptions(options), maxQueueSize, maxExportBatchSize, onFull }),
    delayMillis: options.scheduledDelayMillis ?? 1_000,
  }
}

const url: Check = (value, where, problems) => {
  const before = problems.length
  text(/./, 'be a URL')(value, where, problems)
  if (problems.length > before) return
  const found = endpointOf(value as string)
  if (!isUrl(found)) problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: found.problem })
}

const agent: Check = (value, where, problems) => {
  if (
    typeof value === 'object' &&
    value !== null &&
    member(value as { addRequest?: unknown }, 'addRequest') !== undefined
  )
    return
  problems.push({
    code: 'SLUICE_OPTION_TYPE',
    path: where,
    message: `must be an http.Agent or https.Agent, not ${typeName(value)}`,
  })
}

const schema: OptionSchema = {
  ...deliverySchema,
  url,
  protocol: choice(['http/protobuf', 'http/json']),
  compression: choice(['gzip', 'none']),
  timeoutMillis: integer(0, 2_147_483_647),
  headers: headerOption,
  tls: tlsOptions,
  agent,
  retry: optionsOf(retrySchema),
  maxRequestBytes: integer(1),
}

/**
 * Reports an agent for the wrong protocol, for which Node would reject every request. An agent for both protocols has no own
 * member `protocol`; it computes it when Node reads it.
 */
function agentProblems(agent: object | undefined, { protocol }: URL): ConfigurationProblem[] {
  const agentProtocol: unknown =
    agent === undefined ? undefined : Object.getOwnPropertyDescriptor(agent, 'protocol')?.value
  if (typeof agentProtocol !== 'string' || agentProtocol === protocol) return []
  const kind = protocol === 'https:' ? 'an https.Agent' : 'an http.Agent'
  const message = `must be ${kind}, because the URL begins with ${protocol}//`
  return [{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.agent', message }]
}

function urlOf(text = 'http://localhost:4318/v1/logs'): URL {
  const found = endpointOf(text)
  if (isUrl(found)) return found.url
  throw new TypeError(found.problem)
}

/** Returns the members that have a value, because the types distinguish absent members from undefined ones. */
function withValue(tls: { [name in keyof OtlpTls]: OtlpTls[name] | undefined }): OtlpTls {
  return Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined))
}
