import { monotonic } from '../platform/edge/timers.ts'
import type { Logger } from '../logger/types.ts'
import { severityOf } from '../record/severity.ts'
import { currentChain, type RunInChain } from '../platform/node/context-storage.ts'
import { contexts } from '../platform/node/with-context.ts'
import { RequestContext } from './context-attributes.ts'
import type { RequestCounts } from './counts.ts'
import { type CompleteResponse, type HttpRequest, type HttpResponse, noResponse } from './exchange.ts'
import type { Fields } from './fields.ts'
import { addHeaders } from './header-fields.ts'
import { addOpenRequest, type OpenRequest, removeOpenRequest } from './open-requests.ts'
import type { Settings } from './options.ts'
import { addRequestFields } from './request-fields.ts'
import { requestIdOf } from './request-id.ts'
import type { RequestScope } from './request-scope.ts'
import type { Selected, Selection } from './selection.ts'
import { responseHeader } from './semantic-conventions.ts'
import { chosenLevel, errorTypeOf } from './severity.ts'
import type { Target } from './target.ts'
import { RequestLogDiagnostics } from './request-log-diagnostics.ts'

/** State that all requests of a request log share. */
export interface SharedState {
  readonly settings: Settings
  readonly selection: Selection
  readonly counts: RequestCounts
}

export class RequestLifecycle implements RequestScope, OpenRequest {
  readonly id: string
  earlier: OpenRequest | undefined
  later: OpenRequest | undefined
  readonly #request: HttpRequest
  readonly #start: number
  readonly #shared: SharedState
  readonly #diagnostics = new RequestLogDiagnostics()
  readonly #context: RequestContext
  readonly #selected: Selected
  readonly #fields: Fields | undefined
  /** The async context in which the request arrived, with its span and without the request's own context. */
  readonly #chain: RunInChain = currentChain()
  #logger: Logger | undefined
  #error: unknown
  #ended = false

  constructor(request: HttpRequest, target: Target, start: number, shared: SharedState) {
    const { settings, selection, counts } = shared
    const { path } = target
    this.#request = request
    this.#start = start
    this.#shared = shared
    this.id = requestIdOf(request, settings, this.#diagnostics)
    this.#context = new RequestContext(request, this.id, path, settings, this.#diagnostics)
    this.#selected = selection.of(request, path, this.#diagnostics)
    counts.requests++
    counts.open++
    if (this.#selected === 'ignored') return
    this.#fields = this.#context.fields()
    if (settings.logStart && this.#selected === 'recorded') settings.logger.info('request received', this.#fields)
    addRequestFields(this.#fields, request, target, settings)
    addOpenRequest(this)
  }

  /** Created on first access, because in the request's async context every logger adds the same attributes. */
  get logger(): Logger {
    return (this.#logger ??= this.#shared.settings.logger.child(this.#context.attributes))
  }

  get echo(): readonly [name: string, value: string] | undefined {
    const { echoRequestId, requestIdHeader } = this.#shared.settings
    return echoRequestId ? [requestIdHeader, this.id] : undefined
  }

  run<R>(fn: () => R): R {
    const call = (): R => tapErrors(fn, (error) => this.failed(error))
    return contexts().get() === this.#context ? call() : contexts().run(this.#context, call)
  }

  failed(error: unknown): void {
    this.#error ??= error ?? String(error)
  }

  cutOff(): void {
    this.end({ ...noResponse, unfinished: 'process_exit' })
  }

  end(response: CompleteResponse): void {
    if (this.#ended) return
    this.#ended = true
    const { counts } = this.#shared
    counts.open--
    if (this.#selected === 'ignored') {
      counts.ignored++
      return
    }
    removeOpenRequest(this)
    this.#chain(() => this.#record(response))
  }

  #record(response: CompleteResponse): void {
    const { settings, counts } = this.#shared
    const { statusCode, route, unfinished } = response
    // An error that led to a 4xx response, such as an invalid form field, is the client's error and not the server's.
    const error = statusCode === undefined || statusCode >= 500 ? this.#error : undefined
    const durationSeconds = Math.round((monotonic() - this.#start) * 1_000) / 1_000_000
    const exchange = { request: this.#request, response, error, durationSeconds }
    const level = chosenLevel(exchange, settings.level, this.#diagnostics)
    if (this.#selected === 'sampled' && severityOf[level] < severityOf.warn) return counts.countSampledOut()
    const fields = this.#fields!
    if (route !== undefined) fields['http.route'] = route
    if (statusCode !== undefined) fields['http.response.status_code'] = statusCode
    fields['http.server.request.duration'] = durationSeconds
    const errorType = errorTypeOf(response, error)
    if (errorType !== undefined) fields['error.type'] = errorType
    const sampledOut = counts.takeUnreported()
    if (sampledOut !== undefined) fields['request_log.sampled_out'] = sampledOut
    addHeaders(fields, responseHeader, settings.responseHeaders, response, settings.isSecret)
    this.#diagnostics.show(fields)
    if (error !== undefined) fields['err'] = error
    settings.logger[level](messageOf(level, unfinished), fields)
  }
}

function messageOf(level: string, unfinished: HttpResponse['unfinished']): string {
  if (unfinished !== undefined) return 'request aborted'
  return level === 'error' || level === 'fatal' ? 'request failed' : 'request completed'
}

/**
 * Calls `fn` and returns its result. An error that it throws, or that its promise rejects with, is passed to `onError` and
 * propagated unchanged.
 */
function tapErrors<R>(fn: () => R, onError: (error: unknown) => void): R {
  try {
    const result = fn()
    return result instanceof Promise ? (tapPromise(result, onError) as R) : result
  } catch (error) {
    onError(error)
    throw error
  }
}

async function tapPromise(promise: Promise<unknown>, onError: (error: unknown) => void): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    onError(error)
    throw error
  }
}
