import { withoutPrototype } from '../../../options/own-members.ts'
import { jsonLines } from '../../../encode/json/json-lines.ts'
import { pickDeliveryOptions } from '../../../exporters/exporter-options.ts'
import { retry } from '../../../exporters/retry/retry.ts'
import { flag, integer, options as nested, table, text } from '../../../options/option-checks.ts'
import type { ConfigurationProblem } from '../../../options/configuration-error.ts'
import { jsonOf } from '../formats/json.ts'
import type { TransformableInfo } from '../info.ts'
import { checkedTransportOptions } from './checked-transport-options.ts'
import { httpExporter } from './http-exporter.ts'
import { LineTransport, lineTransportSchema, type LineTransportOptions } from './line-transport.ts'

/** Options of `transports.Http`. */
export interface HttpTransportOptions extends Omit<LineTransportOptions, 'eol'> {
  /**
   * Host name or address.
   *
   * @defaultValue `localhost`
   */
  readonly host?: string
  /**
   * TCP port.
   *
   * @defaultValue 80, or 443 with `ssl`
   */
  readonly port?: number
  /**
   * Path of the URL.
   *
   * @defaultValue `/`
   */
  readonly path?: string
  /**
   * Whether HTTPS is used.
   *
   * @defaultValue false
   */
  readonly ssl?: boolean
  /**
   * Credentials for Basic authentication, or a bearer token.
   *
   * @defaultValue none
   */
  readonly auth?: { readonly username?: string; readonly password?: string; readonly bearer?: string }
  /**
   * Header fields of each request. `content-type` and the header of `auth` override them.
   *
   * @defaultValue none
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Whether several records are sent in one request, as an array.
   *
   * @defaultValue false: one request per record
   */
  readonly batch?: boolean
  /**
   * Maximum time that a record waits for others, in milliseconds.
   *
   * @defaultValue 5,000
   */
  readonly batchInterval?: number
  /**
   * Maximum number of records per request.
   *
   * @defaultValue 10
   */
  readonly batchCount?: number
}

/** The longest delay that `setTimeout` accepts: about 24 days. */
const maxTimerMillis = 2 ** 31 - 1
const requestTimeoutMillis = 10_000

const { eol: _, ...schemaWithoutEol } = lineTransportSchema
const schema = {
  ...schemaWithoutEol,
  host: text(/^[\w.:[\]-]+$/, 'be the name or address of a host'),
  port: integer(1, 65_535),
  path: text(),
  ssl: flag,
  auth: nested({ username: text(), password: text(), bearer: text() }),
  headers: table(text()),
  batch: flag,
  batchInterval: integer(0, maxTimerMillis),
  batchCount: integer(1),
}
const unsupported = {
  agent: 'requests are sent with fetch: set its global dispatcher',
  maximumDepth: 'values are already limited: see `limits` of createLogger',
  replacer: 'change the info in a format of the transport',
}

/**
 * Sends infos as JSON by POST. Failed requests are retried for two minutes. Records that are queued when the process exits are lost and
 * counted. For records that must arrive, use `sluiceTransport` with `otlpExporter`.
 */
export class HttpTransport extends LineTransport {
  /** @throws ConfigurationError for invalid options, and for options of winston that are not supported. */
  constructor(given: HttpTransportOptions = {}) {
    const options = checkedTransportOptions('Http', given, schema, unsupported, checkAddress)
    const { batch = false, batchInterval = 5_000, batchCount = 10, auth, headers = {} } = options
    const settings = {
      url: urlOf(options),
      headers: { ...headers, ...authorizationOf(auth), 'content-type': 'application/json' },
      batch,
      timeoutMillis: requestTimeoutMillis,
    }
    const delivery = { ...pickDeliveryOptions(options), level: undefined, maxExportBatchSize: batch ? batchCount : 1 }
    const schedule = batch ? { delayMillis: batchInterval } : ('turn' as const)
    super({ ...options, name: options.name ?? 'http', eol: '' }, [
      () => retry(httpExporter(settings, { encoding: jsonLines(), schedule, delivery })),
    ])
  }

  /** Returns the info as JSON. */
  protected override lineOf(info: TransformableInfo): string {
    return jsonOf(info)
  }
}

function urlOf({ host = 'localhost', port, path = '', ssl }: HttpTransportOptions): string {
  const authority = port === undefined ? host : `${host}:${port}`
  return `${ssl ? 'https' : 'http'}://${authority}/${path.replace(/^\//, '')}`
}

/** Checks that host, port and path form a URL. */
function checkAddress(options: HttpTransportOptions, problems: ConfigurationProblem[]): void {
  if (URL.canParse(urlOf(options))) return
  problems.push({
    code: 'SLUICE_OPTION_RANGE',
    path: 'transports.Http.host',
    message: 'must form a valid URL with port and path',
  })
}

function authorizationOf(given: HttpTransportOptions['auth']): Record<string, string> {
  const auth = withoutPrototype(given)
  if (auth?.bearer !== undefined) return { authorization: `Bearer ${auth.bearer}` }
  if (!auth?.username || !auth.password) return {}
  return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
}
