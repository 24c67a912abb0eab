import { ownCopy } from '../options/own-members.ts'
import type { Logger } from '../logger/types.ts'
import {
  callback,
  checkOptions,
  either,
  flag,
  list,
  text,
  typeName,
  type Check,
  type OptionSchema,
} from '../options/option-checks.ts'
import { ownOptions } from '../options/own-options.ts'
import { ConfigurationError, type ConfigurationProblem } from '../options/configuration-error.ts'
import type { StandardLevel } from '../record/severity.ts'
import type { CompletedRequest, HttpRequest } from './exchange.ts'
import { loggerCheck } from './logger-check.ts'
import { secretTest } from './query-secrets.ts'
import type { SecretTest } from './target.ts'

/**
 * Options of a request log. When a function throws, its result is ignored, and the error is added to the record as
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
   * Whether to write a record when a request arrives, in addition to the one when it is complete.
   *
   * @defaultValue false
   */
  readonly logStart?: boolean
  /**
   * Returns the level of a completed request. Undefined selects the default.
   *
   * @defaultValue `error` for a 5xx status or a thrown error, `warn` when the connection was closed before the response, else
   * `info`
   */
  readonly level?: (exchange: CompletedRequest) => StandardLevel | undefined
  /**
   * Returns additional attributes of a request. It is called once when the request arrives; the attributes are added to its records
   * and to everything logged while it is handled.
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
   * The fraction of requests to log, from 0 to 1, evenly distributed. Requests at `warn` and above are always logged when they are
   * complete; sampled-out requests are counted, and the next record reports their number as `request_log.sampled_out`.
   *
   * @defaultValue 1
   */
  readonly sample?: number | ((request: HttpRequest) => number)
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

/** The options with defaults applied. Functions that were not set remain undefined. */
export interface Settings
  extends
    Required<Omit<RequestLogOptions, OptionWithoutDefault | 'secretParameters'>>,
    Pick<RequestLogOptions, OptionWithoutDefault> {
  readonly isSecret: SecretTest
}

type OptionWithoutDefault = 'level' | 'attributes' | 'generateRequestId' | 'ignore' | 'sample'

/**
 * Validates the options and applies defaults.
 *
 * @param caller - name of the function that was called, for the error
 * @throws ConfigurationError that lists all problems of the options.
 */
export function settingsOf(given: RequestLogOptions, caller: string): Settings {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given, '', problems)
  checkOptions(own ?? null, schema, '', problems)
  if (problems.every(({ path }) => path !== '') && own.logger === undefined) loggerCheck(undefined, 'logger', problems)
  if (problems.length > 0) throw new ConfigurationError(problems, undefined, caller)
  return ownCopy({
    ...own,
    logStart: own.logStart ?? false,
    requestIdHeader: (own.requestIdHeader ?? 'x-request-id').toLowerCase(),
    trustRequestId: own.trustRequestId ?? false,
    echoRequestId: own.echoRequestId ?? false,
    requestHeaders: lowerCase(own.requestHeaders),
    responseHeaders: lowerCase(own.responseHeaders),
    query: own.query ?? true,
    isSecret: secretTest(own.secretParameters ?? []),
  })
}

const lowerCase = (names: readonly string[] = []): readonly string[] => names.map((name) => name.toLowerCase())

const share: Check = (value, where, problems) => {
  if (typeof value !== 'number') {
    problems.push({
      code: 'SLUICE_OPTION_TYPE',
      path: where,
      message: `must be a number from 0 to 1 or a function, not ${typeName(value)}`,
    })
  } else if (!(value >= 0 && value <= 1)) {
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: `must be from 0 to 1, not ${value}` })
  }
}

/** Header field names allowed by HTTP (RFC 9110 section 5.1). */
const headerName = text(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'be the name of a header field')
const path = text(/^(?:\/[^*?#]*\*?|\*)$/, 'begin with /, have no query, and have a * only at its end')

const schema: OptionSchema & Readonly<Record<keyof RequestLogOptions, Check>> = {
  logger: loggerCheck,
  logStart: flag,
  level: callback,
  attributes: callback,
  requestIdHeader: headerName,
  trustRequestId: either('true, false or a function', flag, callback),
  echoRequestId: flag,
  generateRequestId: callback,
  ignore: (value, where, problems) => {
    if (typeof value !== 'function') list(path)(value, where, problems)
  },
  sample: (value, where, problems) => {
    if (typeof value !== 'function') share(value, where, problems)
  },
  requestHeaders: list(headerName),
  responseHeaders: list(headerName),
  query: flag,
  secretParameters: list(text(/./, 'not be empty')),
}
