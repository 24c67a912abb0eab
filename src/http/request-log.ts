import { monotonic } from '../platform/edge/timers.ts'
import { RequestCounts, type RequestLogStats } from './counts.ts'
import type { HttpRequest } from './exchange.ts'
import { RequestLifecycle, type SharedState } from './request-lifecycle.ts'
import type { RequestLogOptions } from './options.ts'
import { settingsOf, type Settings } from './settings.ts'
import { BodySelector } from './request-bodies.ts'
import { identityOf, type RequestIdentity } from './request-id.ts'
import type { AdapterScope, RequestScope } from './request-scope.ts'
import { RequestSelector } from './request-selector.ts'
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
export function newRequestLog(options: RequestLogOptions, caller = 'requestLog'): AdapterLog {
  return new RecordingLog(settingsOf(options, caller))
}

/** A request log with what only the adapters use. */
export interface AdapterLog extends RequestLog {
  begin(request: HttpRequest, identity?: RequestIdentity): AdapterScope
  /**
   * Chooses the ID of a request, to be passed to `begin` later.
   *
   * @param frameworkId - the ID that the framework has chosen, which is used if it is valid
   */
  identify(request: HttpRequest, frameworkId?: unknown): RequestIdentity
}

class RecordingLog implements AdapterLog {
  readonly #shared: SharedState

  constructor(settings: Settings) {
    this.#shared = {
      settings,
      selector: new RequestSelector(settings),
      counts: new RequestCounts(),
      bodySelector: new BodySelector(settings),
    }
  }

  identify(request: HttpRequest, frameworkId?: unknown): RequestIdentity {
    return identityOf(request, this.#shared.settings, frameworkId)
  }

  begin(request: HttpRequest, identity: RequestIdentity = this.identify(request)): AdapterScope {
    const startMillis = monotonic()
    return new RequestLifecycle(
      request,
      identity,
      targetOf(request.url, this.#shared.settings.isSecretParameter),
      startMillis,
      this.#shared,
    )
  }

  stats(): RequestLogStats {
    return this.#shared.counts.stats()
  }
}
