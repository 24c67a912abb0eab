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
import { checkedOptions, deliveryOf, deliverySchema, refuse } from '../exporter-options.ts'
import { headerOption, HeaderSource, type HeaderOption } from '../otlp/headers.ts'
import { urlSecrets } from '../otlp/mask.ts'
import { retrySchema, type RetryOptions } from '../retry/retrying.ts'
import { ownCopy } from '../../options/own-members.ts'

/** Options of `fetchExporter`. */
export interface FetchExporterOptions extends Delivery {
  /**
   * Where logs go, as it stands: no path is added. A user name and a password in it become a Basic `authorization`. In a
   * browser, for a path of the page's own host: `new URL('/v1/logs', location.href).href`.
   */
  readonly url: string
  /** How requests are written. Default `http/json`. */
  readonly protocol?: 'http/protobuf' | 'http/json'
  /**
   * Headers of each request: fields, or a function that returns or promises them and is called for each try, such as one that
   * knows the token of the hour. In a browser every field needs the server's consent (CORS), and everybody can read it.
   */
  readonly headers?: HeaderOption
  /**
   * How long one try of a batch may take, in ms, to the last byte of the answer; 0: no limit. How long all tries may take is
   * said by `retry.maxElapsedMillis`. Default 10,000.
   */
  readonly timeoutMillis?: number
  /** How a batch is tried again that was not taken. Default: for two minutes. */
  readonly retry?: RetryOptions
  /**
   * The longest request in bytes (OTL6). A batch that is longer goes in several; a record that is longer by itself counts as
   * `too_large`. Default 4 MiB.
   */
  readonly maxRequestBytes?: number
  /**
   * For browsers: requests of up to 60 KiB go on when the page is left (`fetch` with `keepalive`, of which a page may have
   * 64 KiB under way), and batches are cut so that they fit. Default false.
   */
  readonly keepalive?: boolean
  /**
   * What sends, in place of the global `fetch` as it is at each request: a Cloudflare service binding, for example, as
   * `(url, init) => env.COLLECTOR.fetch(url, init)`.
   */
  readonly fetch?: typeof globalThis.fetch
}

/** What an exporter works with. */
export interface FetchSettings {
  /** Without a user name and a password, which `fetch` does not take. */
  readonly url: URL
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly headers: HeaderSource
  /** What of the URL must not be told. */
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

/** @throws ConfigurationError when the options are wrong. */
export function fetchSettings(given: FetchExporterOptions): FetchSettings {
  const { own, problems } = checkedOptions('fetchExporter', given, schema, ['headers', 'retry'])
  if (problems.length === 0 && own?.url === undefined) text()(undefined, 'fetchExporter.url', problems)
  refuse(problems)
  const { maxQueueSize = defaultQueueSize, maxExportBatchSize = Math.min(defaultBatchSize, maxQueueSize) } = own
  const said = urlOf(own.url)
  const url = new URL(said)
  url.username = url.password = ''
  return {
    url,
    protocol: own.protocol ?? 'http/json',
    headers: new HeaderSource(credentialsOf(said), own.headers, delay),
    secrets: urlSecrets(said),
    timeoutMillis: own.timeoutMillis ?? 10_000,
    retry: ownCopy(own.retry ?? {}),
    maxRequestBytes: own.maxRequestBytes ?? 4 * mebibyte,
    keepalive: own.keepalive ?? false,
    fetch: own.fetch,
    // No `exportTimeoutMillis` of its own: it would end the retries of a batch, whose time is bounded by `retry` already.
    delivery: ownCopy({ maxQueueBytes: 2 * mebibyte, ...deliveryOf(own), maxQueueSize, maxExportBatchSize }),
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

function urlOf(said: string): URL {
  const found = endpointOf(said)
  if (isUrl(found)) return found.url
  throw new TypeError(found.problem)
}

/** RFC 7617. */
function credentialsOf({ username, password }: URL): Headers {
  if (username === '') return new Map()
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return new Map([['authorization', `Basic ${base64(new TextEncoder().encode(pair))}`]])
}
