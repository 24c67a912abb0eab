import type { Logger } from '../logger/types.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { CompletedRequest, HttpRequest } from './exchange.ts'
import type { RequestSelection } from './request-test.ts'

/**
 * Options of a request log. When a function throws, the default applies, and the error is added to the record as
 * `request_log.<option>`; requests never fail because of it. Promises are not supported as results and are not awaited.
 */
export interface RequestLogOptions {
  /**
   * The logger for the records: this package's `logger`, the result of `createLogger`, or a child. Records that these loggers write
   * while a request is handled include the request's attributes. Loggers of `sluice/pino` and similar compatible APIs are not
   * supported.
   */
  readonly logger: Logger
  /**
   * The message of the record of a completed request: a template with attributes of the record in braces, such as
   * `{http.request.method} {url.path}`, or a function that returns one. Undefined selects the default. Values are redacted when they
   * are inserted. In the result of a function, the secrets in the query of the request are redacted too.
   *
   * @defaultValue method, route, status and duration: `POST /orders/:id 201 14ms`; the path if the route is not known
   */
  readonly message?: string | ((exchange: CompletedRequest) => string | undefined)
  /**
   * Whether to write a record when a request arrives, in addition to the one when it is complete. A text is its message: a template, as
   * for `message`. With `true` the message is `request received`.
   *
   * @defaultValue false
   */
  readonly logStart?: boolean | string
  /**
   * Returns the level of a completed request. Undefined selects the default.
   *
   * @defaultValue `error` for a 5xx status or a thrown error, `warn` when the connection was closed before the response or the
   * request was slow, else `info`
   */
  readonly level?: (exchange: CompletedRequest) => StandardLevel | undefined
  /**
   * Returns additional attributes of a request. It is called once when the request arrives; the attributes are added to its records
   * and to everything logged while it is handled.
   *
   * @defaultValue none
   */
  readonly attributes?: (request: HttpRequest) => object | undefined
  /**
   * The header with the request ID.
   *
   * @defaultValue `x-request-id`
   */
  readonly requestIdHeader?: string
  /**
   * Whether the ID in the request header is used: 1 to 128 letters, digits and `._:~+/=@-`, starting with a letter or digit.
   * Clients can send any ID, including one of another request, so enable this only behind your own proxy that sets the header.
   *
   * @defaultValue false
   */
  readonly trustRequestId?: boolean | ((request: HttpRequest) => boolean)
  /**
   * Whether to add the ID to the response, in `requestIdHeader`.
   *
   * @defaultValue false
   */
  readonly echoRequestId?: boolean
  /**
   * Returns a new ID in the format accepted by `trustRequestId`.
   *
   * @defaultValue a random UUID
   */
  readonly generateRequestId?: (request: HttpRequest) => string
  /**
   * Requests that are not logged, whatever their outcome: paths, where a `*` at the end matches any suffix, or a function. They are
   * counted, and records logged while they are handled still include their attributes.
   *
   * @defaultValue none
   */
  readonly ignore?: readonly string[] | ((request: HttpRequest) => boolean)
  /**
   * The fraction of requests to log, from 0 to 1, evenly distributed. Requests at `warn` and above, and slow ones, are always logged
   * when they are complete; sampled-out requests are counted, and the next record reports their number as `request_log.sampled_out`.
   *
   * @defaultValue 1
   */
  readonly sample?: number | ((request: HttpRequest) => number)
  /**
   * The duration in milliseconds from which a request is slow, or a function of the request that returns it. A slow request is logged
   * even if it is sampled out, at `warn` unless its level is higher or `level` returns another, with `request_log.slow: true`. Upgraded
   * connections are never slow. Ignored requests are not logged.
   *
   * @defaultValue undefined: no request is slow
   */
  readonly slowMillis?: number | ((request: HttpRequest) => number | undefined)
  /**
   * Header fields of the request to log. Credentials and secrets in URLs are replaced by `[REDACTED]`.
   *
   * @defaultValue none
   */
  readonly requestHeaders?: readonly string[]
  /**
   * Header fields of the response to log. Credentials and secrets in URLs are replaced by `[REDACTED]`.
   *
   * @defaultValue none
   */
  readonly responseHeaders?: readonly string[]
  /**
   * Requests whose body is logged as `http.request.body.content`: all, those with one of the paths, where a `*` at the end matches any
   * suffix, or those for which a function returns true. JSON and forms are logged as objects, to which the rules of the logger apply;
   * values of names such as `password` and `token` are `[REDACTED]`. Other text is logged as it is, and other types only with their
   * size. Bodies may contain personal data. The stream is neither read nor delayed: what the program does not read is not logged.
   *
   * @defaultValue false
   */
  readonly requestBody?: RequestSelection
  /**
   * Requests whose response body is logged as `http.response.body.content`, selected and redacted as with `requestBody`. With
   * handlers of the Fetch API, the response that is sent is a copy, and the request is complete when its body was read.
   *
   * @defaultValue false
   */
  readonly responseBody?: RequestSelection
  /**
   * The size in bytes of the longest body that is logged. Of a longer one, the content is `[Too long]`, because rules might not find
   * a secret in a part of it.
   *
   * @defaultValue 16384
   */
  readonly maxBodyBytes?: number
  /**
   * Whether to log the query as `url.query`, with its secrets redacted.
   *
   * @defaultValue true
   */
  readonly query?: boolean
  /**
   * Query parameters to redact, in addition to well-known names of keys, tokens, passwords and signatures.
   *
   * @defaultValue none
   */
  readonly secretParameters?: readonly string[]
}
