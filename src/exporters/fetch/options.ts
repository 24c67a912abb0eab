import { foreignFetchOptionNames, foreignRetryOptionNames } from '../../options/foreign-exporter-names.ts'
import { foreignNames } from '../../options/foreign-names.ts'
import { foreignProtocolWords } from '../../options/foreign-values.ts'
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
import { logsUrlOf, logsUrlProblem } from '../../platform/node/otlp-endpoint.ts'
import type { HeaderMap } from '../../platform/node/otlp-header-list.ts'
import {
  reportMissing,
  copyAndCheckOptions,
  pickDeliveryOptions,
  deliverySchema,
  throwIfInvalid,
} from '../exporter-options.ts'
import { headersCheck, HeaderSource, type HeaderOption } from '../otlp/headers.ts'
import { urlSecrets } from '../otlp/mask.ts'
import { retrySchema, type RetryOptions } from '../retry/retry-options.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** Options of `fetchExporter`. */
export interface FetchExporterOptions extends Delivery {
  /**
   * The URL that logs are sent to. If it has no path, `/v1/logs` is added, which is reported once as a diagnostic; any other path,
   * also `/`, is used unchanged. A user name and password in it become a Basic `authorization` header. In a browser, use
   * `new URL('/v1/logs', location.href).href` for a path on the page's own host.
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
   *
   * @defaultValue none
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
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: typeof globalThis.fetch
}

/** The resolved settings of an exporter. */
export interface FetchSettings {
  /** The URL without user name and password, which `fetch` does not accept. */
  readonly url: URL
  /** Whether the configured URL has no path, and `/v1/logs` was added. */
  readonly isPathAdded: boolean
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly headers: HeaderSource
  /** Parts of the URL that must not appear in diagnostics. */
  readonly secrets: readonly string[]
  readonly timeoutMillis: number
  readonly retry: RetryOptions
  readonly maxRequestBytes: number
  readonly keepalive: boolean
  /** The option `fetch`. Without it, each request reads the global `fetch`. */
  readonly fetch: typeof globalThis.fetch | undefined
  readonly delivery: Delivery
  /** The option `scheduledDelayMillis`, or its default. */
  readonly delayMillis: number
}

const defaultQueueSize = 2_048
const defaultBatchSize = 512
const mebibyte = 1024 * 1024

/**
 * Checks the options and returns the settings.
 *
 * @throws ConfigurationError if the options are invalid.
 */
export function fetchSettings(options: FetchExporterOptions): FetchSettings {
  const { checkedOptions, problems } = copyAndCheckOptions(
    'fetchExporter',
    options,
    schema,
    ['headers', 'retry'],
    foreignFetchOptionNames,
    { 'a string': "fetchExporter({ url: 'https://collector.example/v1/logs' })" },
  )
  if (checkedOptions?.url === undefined)
    reportMissing('fetchExporter', 'url', "url: 'https://collector.example/v1/logs'", problems)
  throwIfInvalid(problems)
  const { maxQueueSize = defaultQueueSize, maxExportBatchSize = Math.min(defaultBatchSize, maxQueueSize) } =
    checkedOptions
  const { url: configuredUrl, isPathAdded } = logsUrlOf(checkedOptions.url)
  const url = new URL(configuredUrl)
  url.username = url.password = ''
  return {
    url,
    isPathAdded,
    protocol: checkedOptions.protocol ?? 'http/json',
    headers: new HeaderSource(authorizationHeader(configuredUrl), checkedOptions.headers, delay),
    secrets: urlSecrets(configuredUrl),
    timeoutMillis: checkedOptions.timeoutMillis ?? 10_000,
    retry: withoutPrototype(checkedOptions.retry ?? {}),
    maxRequestBytes: checkedOptions.maxRequestBytes ?? 4 * mebibyte,
    keepalive: checkedOptions.keepalive ?? false,
    fetch: checkedOptions.fetch,
    // Do not set `exportTimeoutMillis` by default: it would end the retries of a batch, which `retry` already limits.
    delivery: withoutPrototype({
      maxQueueBytes: 2 * mebibyte,
      ...pickDeliveryOptions(checkedOptions),
      maxQueueSize,
      maxExportBatchSize,
    }),
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

const fetchProtocolWords = foreignNames([['grpc', "fetch cannot send gRPC; write 'http/json'"]], foreignProtocolWords)

const schema: OptionSchema = {
  ...deliverySchema,
  url: urlCheck,
  protocol: choice(['http/protobuf', 'http/json'], fetchProtocolWords),
  headers: headersCheck,
  timeoutMillis: integer(0, 2_147_483_647),
  retry: optionsOf(retrySchema, foreignRetryOptionNames),
  maxRequestBytes: integer(1),
  keepalive: flag,
  fetch: callback,
}

/** Returns headers with the user name and password of a URL as Basic authorization (RFC 7617); none if it has no user name. */
function authorizationHeader({ username, password }: URL): HeaderMap {
  if (username === '') return new Map()
  const userAndPassword = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return new Map([['authorization', `Basic ${base64(new TextEncoder().encode(userAndPassword))}`]])
}
