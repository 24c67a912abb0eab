import type { Delivery } from '../../pipeline/exporter.ts'
import {
  choice,
  integer,
  options as optionsOf,
  text,
  type Check,
  type OptionSchema,
} from '../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../options/configuration-error.ts'
import { delay } from '../../platform/node/end-of-turn.ts'
import type { Environment } from '../../platform/node/env.ts'
import { readOtlpEnvironment } from '../../platform/node/otel-env.ts'
import { endpointOf, isUrl } from '../../platform/node/otlp-endpoint.ts'
import { checkedOptions, deliveryOf, deliverySchema, refuse } from '../exporter-options.ts'
import { headerOption, HeaderSource, type HeaderOption } from './headers.ts'
import { tlsOptions, TlsSource, type OtlpTls } from './tls.ts'
import { retrySchema, type RetryOptions } from '../retry/retrying.ts'
import { member, ownCopy } from '../../options/own-members.ts'

/**
 * Options of `otlpExporter`. What code does not say, the environment says: `OTEL_EXPORTER_OTLP_LOGS_…`, then
 * `OTEL_EXPORTER_OTLP_…`.
 */
export interface OtlpExporterOptions extends Delivery {
  /** Where logs go, as it stands: no path is added. Default: `http://localhost:4318/v1/logs`. */
  readonly url?: string
  /** How requests are written. Default `http/protobuf`. */
  readonly protocol?: 'http/protobuf' | 'http/json'
  /** How requests are compressed. Default `none`. */
  readonly compression?: 'gzip' | 'none'
  /**
   * How long one try of a batch may take, in ms, from the look-up of the host to the last byte of the answer; 0: no limit.
   * A batch that is tried again has it anew: how long all tries may take is said by `retry.maxElapsedMillis`. Default 10,000.
   */
  readonly timeoutMillis?: number
  /**
   * Headers of each request, over those of the environment: fields, or a function that returns or promises them and is
   * called for each try, such as one that knows the token of the hour.
   */
  readonly headers?: HeaderOption
  /** Certificates for `https:`. A server's certificate is always checked. */
  readonly tls?: OtlpTls
  /**
   * An `http.Agent` or `https.Agent` in place of this exporter's own, for example one that knows a proxy. It is not closed
   * by `shutdown()`. It needs the event loop: the process stays alive until all is sent or given up, `process.exit()` loses
   * what waits, and `onFull: 'block'` cannot be.
   */
  readonly agent?: object
  /** How a batch is tried again that was not taken. Default: for two minutes. */
  readonly retry?: RetryOptions
  /**
   * The longest request in bytes before compression (OTL6). A batch that is longer goes in several; a record that is longer
   * by itself counts as `too_large`. Default 16 MiB: what a Collector takes, which takes 20, and no more than the queue has.
   */
  readonly maxRequestBytes?: number
}

/** What an exporter works with. */
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

/** Waiting records are bounded in number, too: their text is short, and what a collector makes of it is not. */
const defaultQueueSize = 16_384
const defaultBatchSize = 512
const mebibyte = 1024 * 1024

/**
 * The settings that code, the environment and the defaults give, in this order.
 *
 * @throws ConfigurationError when the options are wrong.
 */
export function otlpSettings(given: OtlpExporterOptions, env?: Environment): OtlpSettings {
  const { own: options, problems } = checkedOptions('otlpExporter', given, schema, ['headers', 'tls', 'retry'])
  refuse(problems)
  // What is wrong in the environment is told when somebody is there to be told.
  const said = readOtlpEnvironment(undefined, env)
  // Of the environment's URL it would be an error of the environment, which never throws: the requests fail, and are told.
  if (options.url !== undefined || said.url === undefined) refuse(agentProblems(options.agent, urlOf(options.url)))
  const { maxQueueSize = defaultQueueSize, maxExportBatchSize = Math.min(defaultBatchSize, maxQueueSize) } = options
  // Not by the profile: a collector that never answers would have the call wait for as long.
  const { onFull = 'dropLowest' } = options
  const { caFile, certFile, keyFile } = said
  return {
    url: options.url === undefined && said.url !== undefined ? said.url : urlOf(options.url),
    protocol: options.protocol ?? said.protocol ?? 'http/protobuf',
    compression: options.compression ?? said.compression ?? 'none',
    timeoutMillis: options.timeoutMillis ?? said.timeoutMillis ?? 10_000,
    headers: new HeaderSource(said.headers, options.headers, delay),
    tls: new TlsSource(ownCopy({ ...withValue({ caFile, certFile, keyFile }), ...withValue(options.tls ?? {}) })),
    agent: options.agent,
    retry: ownCopy(options.retry ?? {}),
    maxRequestBytes: options.maxRequestBytes ?? 16 * mebibyte,
    // No `exportTimeoutMillis` of its own: it would end the retries of a batch, whose time is bounded by `retry` already.
    delivery: ownCopy({ ...deliveryOf(options), maxQueueSize, maxExportBatchSize, onFull }),
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
  problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be an http.Agent or https.Agent' })
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
 * Node refuses a request whose agent is for the other protocol. Agents that serve both say theirs only when they are asked
 * by Node: they have no such member of their own.
 */
function agentProblems(agent: object | undefined, { protocol }: URL): ConfigurationProblem[] {
  const served: unknown = agent === undefined ? undefined : Object.getOwnPropertyDescriptor(agent, 'protocol')?.value
  if (typeof served !== 'string' || served === protocol) return []
  const kind = protocol === 'https:' ? 'an https.Agent' : 'an http.Agent'
  const message = `must be ${kind}, because the URL begins with ${protocol}//`
  return [{ code: 'SLUICE_OPTION_CONFLICT', path: 'otlpExporter.agent', message }]
}

function urlOf(text = 'http://localhost:4318/v1/logs'): URL {
  const found = endpointOf(text)
  if (isUrl(found)) return found.url
  throw new TypeError(found.problem)
}

/** The members that have a value: the types tell absent ones from undefined ones. */
function withValue(tls: { [name in keyof OtlpTls]: OtlpTls[name] | undefined }): OtlpTls {
  return Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined))
}
