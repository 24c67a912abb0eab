import { foreignOtlpOptionNames, foreignRetryOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignCompressionWords, foreignProtocolWords } from '../../options/foreign-values.ts'
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
import type { Environment } from '../../platform/node/variables.ts'
import { readOtlpEnvironment } from '../../platform/node/otel-env.ts'
import { endpointOf, isValidEndpoint, logsUrlOf, logsUrlProblem } from '../../platform/node/otlp-endpoint.ts'
import { copyAndCheckOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporter-options.ts'
import { headersCheck, HeaderSource, type HeaderOption } from './headers.ts'
import { tlsCheck, TlsSource, type OtlpTls } from './tls.ts'
import { retrySchema, type RetryOptions } from '../retry/retry-options.ts'
import { member, withoutPrototype } from '../../options/own-members.ts'

/**
 * Options of `otlpExporter`. Options that are not set are read from the environment: `OTEL_EXPORTER_OTLP_LOGS_…`, then
 * `OTEL_EXPORTER_OTLP_…`.
 */
export interface OtlpExporterOptions extends Delivery {
  /**
   * The URL that logs are sent to. If it has no path, `/v1/logs` is added, which is reported once as a diagnostic; any other path,
   * also `/`, is used unchanged.
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
   *
   * @defaultValue those of the environment
   */
  readonly headers?: HeaderOption
  /**
   * Certificates for `https:`. The server's certificate is always verified.
   *
   * @defaultValue the files that the environment names, otherwise the authorities of Node
   */
  readonly tls?: OtlpTls
  /**
   * An `http.Agent` or `https.Agent` to use instead of this exporter's own, for example one for a proxy. `shutdown()` does not
   * close it. It requires the event loop: the process stays alive until all records are sent or dropped, `process.exit()` loses
   * queued records, and `onFull: 'block'` is not possible.
   *
   * @defaultValue the exporter's own
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
   * @defaultValue 16 MiB, which is below the Collector's limit of 20 MiB
   */
  readonly maxRequestBytes?: number
}

/** The resolved settings of an exporter. */
export interface OtlpSettings {
  readonly url: URL
  /** Whether the option `url` has no path, and `/v1/logs` was added. */
  readonly isPathAdded: boolean
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly compression: 'gzip' | 'none'
  readonly timeoutMillis: number
  readonly headers: HeaderSource
  readonly tls: TlsSource
  /** The option `agent`. Without it, the exporter creates its own. */
  readonly agent: object | undefined
  readonly retry: RetryOptions
  readonly maxRequestBytes: number
  readonly delivery: Delivery
  /** The option `scheduledDelayMillis`, or its default. */
  readonly delayMillis: number
}

/** Records are limited in number, not only in bytes, because a collector needs more memory for a record than its encoded text. */
const defaultQueueSize = 16_384
const defaultBatchSize = 512
const mebibyte = 1024 * 1024

/**
 * Resolves the settings. Precedence is: options, environment, defaults.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function otlpSettings(options: OtlpExporterOptions, env?: Environment): OtlpSettings {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'otlpExporter',
    options,
    schema,
    ['headers', 'tls', 'retry'],
    foreignOtlpOptionNames,
    { 'a string': "otlpExporter({ url: 'http://localhost:4318/v1/logs' })" },
  )
  // Problems in the environment are reported when the exporter starts and has a host.
  const envSettings = readOtlpEnvironment(undefined, env)
  // An agent that does not match a URL of the environment causes no error here, because the environment never does. The requests then
  // fail, and that is reported.
  const configured = typeof checkedOptions?.url === 'string' ? endpointOf(checkedOptions.url) : defaultEndpoint
  if (isValidEndpoint(configured) && (checkedOptions?.url !== undefined || envSettings.url === undefined))
    problems.push(...agentProblems(checkedOptions?.agent, configured.url))
  throwIfInvalid(problems)
  const { maxQueueSize = defaultQueueSize, maxExportBatchSize = Math.min(defaultBatchSize, maxQueueSize) } =
    checkedOptions
  // Do not let the logger's `profile` choose `block`: a log call would wait as long as the collector does not respond.
  const { onFull = 'dropLowest' } = checkedOptions
  const { caFile, certFile, keyFile } = envSettings
  return {
    ...urlSettings(checkedOptions.url, envSettings.url),
    protocol: checkedOptions.protocol ?? envSettings.protocol ?? 'http/protobuf',
    compression: checkedOptions.compression ?? envSettings.compression ?? 'none',
    timeoutMillis: checkedOptions.timeoutMillis ?? envSettings.timeoutMillis ?? 10_000,
    headers: new HeaderSource(envSettings.headers, checkedOptions.headers, delay),
    tls: new TlsSource(
      withoutPrototype({
        ...definedMembers({ caFile, certFile, keyFile }),
        ...definedMembers(checkedOptions.tls ?? {}),
      }),
    ),
    agent: checkedOptions.agent,
    retry: withoutPrototype(checkedOptions.retry ?? {}),
    maxRequestBytes: checkedOptions.maxRequestBytes ?? 16 * mebibyte,
    // Do not set `exportTimeoutMillis` by default: it would end the retries of a batch, which `retry` already limits.
    delivery: withoutPrototype({ ...pickDeliveryOptions(checkedOptions), maxQueueSize, maxExportBatchSize, onFull }),
    delayMillis: checkedOptions.scheduledDelayMillis ?? 1_000,
  }
}

const urlCheck: Check = (value, where, problems) => {
  const problemsBefore = problems.length
  text(/./, 'be a URL')(value, where, problems)
  if (problems.length > problemsBefore) return
  const message = logsUrlProblem(value as string)
  if (message !== undefined) problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message })
}

const agentCheck: Check = (value, where, problems) => {
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
  url: urlCheck,
  protocol: choice(['http/protobuf', 'http/json'], foreignProtocolWords),
  compression: choice(['gzip', 'none'], foreignCompressionWords),
  timeoutMillis: integer(0, 2_147_483_647),
  headers: headersCheck,
  tls: tlsCheck,
  agent: agentCheck,
  retry: optionsOf(retrySchema, foreignRetryOptionNames),
  maxRequestBytes: integer(1),
}

/**
 * Returns the problem of an agent that is for `http:` while the URL has `https:`, or the reverse: Node would reject every request.
 * An agent for both protocols inherits a getter instead of having its own member `protocol`.
 */
function agentProblems(agent: object | undefined, { protocol }: URL): ConfigurationProblem[] {
  const agentProtocol: unknown =
    agent === undefined ? undefined : Object.getOwnPropertyDescriptor(agent, 'protocol')?.value
  if (typeof agentProtocol !== 'string' || agentProtocol === protocol) return []
  const kind = protocol === 'https:' ? 'an https.Agent' : 'an http.Agent'
  const message = `must be ${kind}, because the URL begins with ${protocol}//`
  return [{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.agent', message }]
}

const defaultEndpoint = { url: new URL('http://localhost:4318/v1/logs') }

/** Returns the URL of the options, the environment or the default. The options are valid. */
function urlSettings(text: string | undefined, envUrl: URL | undefined): Pick<OtlpSettings, 'url' | 'isPathAdded'> {
  if (text === undefined) return { url: new URL(envUrl ?? defaultEndpoint.url), isPathAdded: false }
  return logsUrlOf(text)
}

/** Returns the members that have a value. The types distinguish absent members from undefined ones. */
function definedMembers(tls: { [name in keyof OtlpTls]: OtlpTls[name] | undefined }): OtlpTls {
  return Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined))
}
