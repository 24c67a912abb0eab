import { monotonic } from '../platform/edge/timers.ts'
import { RequestCounts, type RequestLogStats } from './counts.ts'
import type { HttpRequest } from './exchange.ts'
import { RequestLifecycle, type SharedState } from './request-lifecycle.ts'
import { settingsOf, type RequestLogOptions, type Settings } from './options.ts'
import type { RequestScope } from './request-scope.ts'
import { Selection } from './selection.ts'
import { targetOf } from './target.ts'

/** The base of all adapters. It is notified of each request. */
export interface RequestLog {
  /**
   * Starts a request. Report its outcome to the returned scope.
   *
   * @param request - the request
   */
  begin(request: HttpRequest): RequestScope
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/**
 * Creates a request log, which writes a record for each completed request with OpenTelemetry's HTTP server attributes. Records of
 * all `createLogger` loggers include the request ID while the request is handled. Use it for frameworks without an adapter; all
 * adapters are built on it.
 *
 * @throws ConfigurationError that lists all problems of the options.
 */
export function createRequestLog(options: RequestLogOptions): RequestLog {
  return newRequestLog(options, 'createRequestLog')
}

/**
 * Creates the request log of an adapter.
 *
 * @param caller - name of the function that was called, for errors
 */
export function newRequestLog(options: RequestLogOptions, caller = 'requestLog'): RequestLog {
  return new RecordingLog(settingsOf(options, caller))
}

class RecordingLog implements RequestLog {
  readonly #shared: SharedState

  constructor(settings: Settings) {
    this.#shared = { settings, selection: new Selection(settings), counts: new RequestCounts() }
  }

  begin(request: HttpRequest): RequestScope {
    const start = monotonic()
    return new RequestLifecycle(request, targetOf(request.url, this.#shared.settings.isSecret), start, this.#shared)
  }

  stats(): RequestLogStats {
    return this.#shared.counts.stats()
  }
}
