import { monotonic } from '../platform/edge/timers.ts'
import { Counts, type RequestLogStats } from './counts.ts'
import type { HttpRequest } from './exchange.ts'
import { RequestLifecycle, type Shared } from './request-lifecycle.ts'
import { settingsOf, type RequestLogOptions, type Settings } from './options.ts'
import type { RequestScope } from './request-scope.ts'
import { Selection } from './selection.ts'
import { targetOf } from './target.ts'

/** What every adapter is made of: it is told of each request that comes. */
export interface RequestLog {
  /** A request has come. Its scope is told what becomes of it. */
  begin(request: HttpRequest): RequestScope
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * Makes a request log: a record for each exchange when it is over, with OpenTelemetry's attributes of HTTP servers, and an id that
 * every logger of `createLogger` says meanwhile. The adapters for frameworks are made of it; it is for those that have none.
 *
 * @throws ConfigurationError with every problem of the options.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  return new RecordingLog(settingsOf(options))
}

class RecordingLog implements RequestLog {
  readonly #shared: Shared

  constructor(settings: Settings) {
    this.#shared = { settings, selection: new Selection(settings), counts: new Counts() }
  }

  begin(request: HttpRequest): RequestScope {
    const start = monotonic()
    return new RequestLifecycle(request, targetOf(request.url, this.#shared.settings.isSecret), start, this.#shared)
  }

  stats(): RequestLogStats {
    return this.#shared.counts.stats()
  }
}
