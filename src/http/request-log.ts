import { monotonic } from '../edge/timers.ts'
import type { HttpRequest } from './exchange.ts'
import { settingsOf, type RequestLogOptions, type Settings } from './options.ts'
import { secretTest } from './query-secrets.ts'
import { ExchangeScope, type Counts, type RequestScope } from './request-scope.ts'
import { Selection } from './selection.ts'
import { targetOf, type SecretTest } from './target.ts'

/** How many requests there were since a request log was made. */
export interface RequestLogStats {
  readonly requests: number
  /** Not over yet. */
  readonly open: number
  /** Over, without a record, because of `ignore`. */
  readonly ignored: number
  /** Over, without a record, because of `sample`. */
  readonly leftOut: number
}

/** What every adapter is made of: it is told of each request that comes. */
export interface RequestLog {
  /** A request has come. Its scope is told what becomes of it. Never throws. */
  begin(request: HttpRequest): RequestScope
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * Makes a request log: a record for each exchange when it is over, with OpenTelemetry's attributes of HTTP servers, and an id that
 * all says what is logged meanwhile. The adapters for frameworks are made of it; it is for those that have none.
 *
 * @throws ConfigurationError with every problem of the options.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  return new RecordingLog(settingsOf(options))
}

class RecordingLog implements RequestLog {
  readonly #settings: Settings
  readonly #selection: Selection
  readonly #isSecret: SecretTest
  readonly #counts: Counts = { requests: 0, open: 0, ignored: 0, leftOut: 0, notTold: 0 }

  constructor(settings: Settings) {
    this.#settings = settings
    this.#selection = new Selection(settings)
    this.#isSecret = secretTest(settings.secretParameters)
  }

  begin(request: HttpRequest): RequestScope {
    const start = monotonic()
    const target = targetOf(request.url, this.#isSecret)
    const scope = new ExchangeScope(request, target, start, this.#settings, this.#counts)
    scope.begin(this.#selection)
    return scope
  }

  stats(): RequestLogStats {
    const { requests, open, ignored, leftOut } = this.#counts
    return { requests, open, ignored, leftOut }
  }
}
