import { delay } from '../../platform/edge/timers.ts'
import { base64 } from '../../encode/json/base64.ts'
import type { Delivery } from '../../pipeline/exporter.ts'
import {
  callback,
  choice,
  flag,
  integer,
  options as optionsOf,
  text,
  type Check,
  type OptionSchema,
} from '../../options/option-checks.ts'
import { endpointOf, isUrl } from '../../platform/node/otlp-endpoint.ts'
import type { Headers } from '../../platform/node/otlp-header-list.ts'
import { checkedOptions, pickDeliveryOptions, deliverySchema, throwIfInvalid } from '../exporter-options.ts'
import { headerOption, HeaderSource, type HeaderOption } from '../otlp/headers.ts'
import { urlSecrets } from '../otlp/mask.ts'
import { retrySchema, type RetryOptions } from '../retry/retry-options.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Options of `fetchExporter`. */
export interface FetchExporterOptions extends Delivery {
  /**
   * The exact URL that logs are sent to; no path is added. A user name and password in it become a Basic `authorization`
   * header. In a browser, for a path on the page's own host: `new URL('/v1/logs', location.href).href`.
   */
  readonly url: string
  /**
   * The encoding of requests.
   *
   * @defaultValue `http/json`
   */
  readonly protocol?: 'http/protobuf' | 'http/json'
  /**
   * Headers of each request: an object, or a function that returns them or a promise of them and is called for each attempt,
   * for example to read a token that expires. In a browser, the server must allow each header (CORS), and users can read them.
   */
  readonly headers?: HeaderOption
  /**
   * The time limit of one attempt of a batch, in ms, until the last byte of the response; 0: no limit. `retry.maxElapsedMillis`
   * limits the time of all attempts.
   *
   * @defaultValue 10,000
   */
  readonly timeoutMillis?: number
  /**
   * How a batch is retried that was not accepted.
   *
   * @defaultValue retries for two minutes
   */
  readonly retry?: RetryOptions
  /**
   * The maximum size of a request in bytes. A larger batch is sent in several requests; a record that is larger by itself
   * counts as `too_large`.
   *
   * @defaultValue 4 MiB
   */
  readonly maxRequestBytes?: number
  /**
   * For browsers: requests of up to 60 KiB continue after the page is left (`fetch` with `keepalive`, for which a page may have
   * 64 KiB in flight), and batches are sized to fit.
   *
   * @defaultValue false
   */
  readonly keepalive?: boolean
  /**
   * A function to use instead of the global `fetch`, for example for a Cloudflare service binding:
   * `(url, init) => env.COLLECTOR.fetch(url, init)`. By default, the global `fetch` is read at each request.
   */
  readonly fetch?: typeof globalThis.fetch
}

/** The resolved settings of an exporter. */
export interface FetchSettings {
  /** The URL without user name and password, which `fetch` does not accept. */
  readonly url: URL
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly headers: HeaderSource
  /** Parts of the URL that must not appear in diagnostics. */
  readonly secrets: readonly string[]
  readonly timeoutMillis: number
  readonly retry: RetryOptions
  readonly maxRequestBytes: number
  readonly keepalive: boolean
  readonly fetch: typeof globalThis.fetch | undefined
  readonly delivery: Delivery
  readonly delayMillis: number
}

const defaultQueueSize = 2_048
const defaultBatchSize = 512
const mebibyte = 1024 * 1024

/**
 * Returns the settings for checked options.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function fetchSettings(given: FetchExporterOptions): FetchSettings {
  const { own, problems } = checkedOptions('fetchExporter', given, schema, ['headers', 'retry'])
  if (problems.length === 0 && own?.url === undefined) text()(undefined, 'fetchExporter.url', problems)
  throwIfInvalid(problems)
  const { maxQueueSize = defaultQueueSize, maxExportBatchSize = Math.min(defaultBatchSize, maxQueueSize) } = own
  const configuredUrl = urlOf(own.url)
  const url = new URL(configuredUrl)
  url.username = url.password = ''
  return {
    url,
    protocol: own.protocol ?? 'http/json',
    headers: new HeaderSource(credentialsOf(configuredUrl), own.headers, delay),
    secrets: urlSecrets(configuredUrl),
    timeoutMillis: own.timeoutMillis ?? 10_000,
    retry: ownCopy(own.retry ?? {}),
    maxRequestBytes: own.maxRequestBytes ?? 4 * mebibyte,
    keepalive: own.keepalive ?? false,
    fetch: own.fetch,
    // Do not set `exportTimeoutMillis` by default: it would end the retries of a batch, which `retry` already limits.
    delivery: ownCopy({ maxQueueBytes: 2 * mebibyte, ...pickDeliveryOptions(own), maxQueueSize, maxExportBatchSize }),
    delayMillis: own.scheduledDelayMillis ?? 1_000,
  }
}

const url: Check = (value, where, problems) => {
  const before = problems.length
  text(/./, 'be a URL')(value, where, problems)
  if (problems.length > before) return
  const found = endpointOf(value as string)
  if (!isUrl(found)) problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: found.problem })
}

const schema: OptionSchema = {
  ...deliverySchema,
  url,
  protocol: choice(['http/protobuf', 'http/json']),
  headers: headerOption,
  timeoutMillis: integer(0, 2_147_483_647),
  retry: optionsOf(retrySchema),
  maxRequestBytes: integer(1),
  keepalive: flag,
  fetch: callback,
}

function urlOf(configuredUrl: string): URL {
  const found = endpointOf(configuredUrl)
  if (isUrl(found)) return found.url
  throw new TypeError(found.problem)
}

/** Returns the Basic authorization header of a URL (RFC 7617). */
function credentialsOf({ username, password }: URL): Headers {
  if (username === '') return new Map()
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return new Map([['authorization', `Basic ${base64(new TextEncoder().encode(pair))}`]])
}
