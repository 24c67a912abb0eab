import { ownCopy } from '../options/own-members.ts'
import type { Logger } from '../logger/types.ts'
import {
  callback,
  checkOptions,
  either,
  flag,
  list,
  text,
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
 * What a request log takes. What its functions throw costs what they were asked for, and is shown in the record as
 * `request_log.<option>`; no request fails by it. A promise is no answer: they are not waited for.
 */
export interface RequestLogOptions {
  /**
   * Who says the records: `logger` of this package, what `createLogger` has returned, or a child. All of these say the request's
   * attributes with what they log meanwhile. The loggers of `sluice/pino` and its like are none of these.
   */
  readonly logger: Logger
  /** Whether there is a record when a request has come, beside the one when it is over. Default false. */
  readonly logStart?: boolean
  /**
   * How severe an exchange is that is over. Default, and where it returns undefined: `error` for a status of 5xx or what was
   * thrown, `warn` where the connection was gone before the response, else `info`.
   */
  readonly level?: (exchange: CompletedRequest) => StandardLevel | undefined
  /** More attributes of a request, read once when it comes: of its records and of all that is logged meanwhile. */
  readonly attributes?: (request: HttpRequest) => object | undefined
  /** The header that carries ids. Default `x-request-id`. */
  readonly requestIdHeader?: string
  /**
   * Whether an id that a request brings is taken: 1 to 128 letters, digits and `._:~+/=@-`, the first a letter or digit. Anyone can
   * send any id, also one that is somebody else's, so say true only behind a proxy of your own that sets it. Default false.
   */
  readonly trustRequestId?: boolean | ((request: HttpRequest) => boolean)
  /** Whether the response carries the id, in `requestIdHeader`. Default false. */
  readonly echoRequestId?: boolean
  /** Makes an id, of the same form. Default: a random UUID. */
  readonly generateRequestId?: (request: HttpRequest) => string
  /**
   * Requests without records of their own, however they end: paths, where a `*` at the end means all that begins so. They are
   * counted, and what is logged meanwhile still carries their attributes. Default: none.
   */
  readonly ignore?: readonly string[] | ((request: HttpRequest) => boolean)
  /**
   * The share of requests with records, 0 to 1, in even steps. Those at `warn` and above always have theirs, at the end; the others are
   * counted, and the next record says how many there were (`request_log.left_out`). Default 1.
   */
  readonly sample?: number | ((request: HttpRequest) => number)
  /** Header fields of the request that are shown, credentials and secrets of URLs as `[REDACTED]`. Default: none. */
  readonly requestHeaders?: readonly string[]
  /** Header fields of the response that are shown, credentials and secrets of URLs as `[REDACTED]`. Default: none. */
  readonly responseHeaders?: readonly string[]
  /** Whether the query is shown (`url.query`), its secrets covered. Default true. */
  readonly query?: boolean
  /** Query parameters to cover, beside those that carry keys, tokens, passwords and signatures everywhere. Default: none. */
  readonly secretParameters?: readonly string[]
}

/** The options with every choice made, but for functions that nobody has given. */
export interface Settings
  extends Required<Omit<RequestLogOptions, Chosen | 'secretParameters'>>, Pick<RequestLogOptions, Chosen> {
  readonly isSecret: SecretTest
}

type Chosen = 'level' | 'attributes' | 'generateRequestId' | 'ignore' | 'sample'

/** Throws a ConfigurationError with every problem of the options. */
export function settingsOf(given: RequestLogOptions): Settings {
  const problems: ConfigurationProblem[] = []
  const own = ownOptions(given, '', problems)
  checkOptions(own ?? null, schema, '', problems)
  if (problems.every(({ path }) => path !== '') && own.logger === undefined) loggerCheck(undefined, 'logger', problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
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
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: where, message: 'must be a number from 0 to 1, or a function' })
  } else if (!(value >= 0 && value <= 1)) {
    problems.push({ code: 'SLUICE_OPTION_RANGE', path: where, message: 'must be from 0 to 1' })
  }
}

/** The names that HTTP allows (RFC 9110 section 5.1). */
const headerName = text(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'be the name of a header field')
const path = text(/^(?:\/[^*?#]*\*?|\*)$/, 'begin with /, be without a query, and have a * at its end only')

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
