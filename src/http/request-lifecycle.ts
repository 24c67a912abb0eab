import { monotonic } from '../platform/edge/timers.ts'
import type { Logger } from '../logger/types.ts'
import { standardSeverities } from '../record/severity.ts'
import { captureCallChain, type RunInChain } from '../platform/node/context-storage.ts'
import { sharedContextStorage } from '../platform/node/with-context.ts'
import { RequestContext } from './context-attributes.ts'
import type { RequestCounts } from './counts.ts'
import type { CurrentRequest } from './current-request.ts'
import { type CompletedRequest, type CompleteResponse, type HttpRequest, noResponse } from './exchange.ts'
import type { Fields } from './fields.ts'
import { addHeaders } from './header-fields.ts'
import { writeLater } from './late-additions.ts'
import { addOpenRequest, type OpenRequest, removeOpenRequest } from './open-requests.ts'
import { endRequest, type RecordedRequest } from '../recorder/request-recorders.ts'
import type { Settings } from './settings.ts'
import { addRequestFields } from './request-fields.ts'
import type { BodySelector, RequestBodies } from './request-bodies.ts'
import { RequestAdditions } from './request-additions.ts'
import type { RequestIdentity } from './request-id.ts'
import { lateMessageOf, messageOf } from './request-message.ts'
import type { AdapterScope } from './request-scope.ts'
import type { LoggingDecision, RequestSelector } from './request-selector.ts'
import { isSlowRequest } from './slow-requests.ts'
import { responseHeaderPrefix } from './semantic-conventions.ts'
import { chosenLevel, errorTypeOf } from './severity.ts'
import { tapErrors } from './tap-errors.ts'
import type { Target } from './target.ts'
import type { OptionErrors } from './option-errors.ts'

/** State that all requests of a request log share. */
export interface SharedState {
  readonly settings: Settings
  readonly selector: RequestSelector
  readonly bodySelector: BodySelector
  readonly counts: RequestCounts
}

/** Follows one request from its arrival to its end, and writes its records. */
export class RequestLifecycle implements AdapterScope, OpenRequest, RecordedRequest {
  readonly id: string
  earlier: OpenRequest | undefined
  later: OpenRequest | undefined
  /** The bodies to copy; undefined if none is logged. */
  bodies: RequestBodies | undefined
  #request: HttpRequest | undefined
  /** The arrival, in milliseconds of the monotonic clock. */
  readonly #startMillis: number
  readonly #shared: SharedState
  readonly #optionErrors: OptionErrors
  readonly #context: RequestContext
  readonly #decision: LoggingDecision
  #fields: Fields | undefined
  /** The async context in which the request arrived, with its span and without the request's own context. */
  readonly #runInArrivalContext: RunInChain = captureCallChain()
  #logger: Logger | undefined
  #current: CurrentRequest | undefined
  #error: unknown
  /** What `set` and `fail` have added since the last record; undefined if nothing. */
  #additions: RequestAdditions | undefined
  /** The route of a completed request, for the record of later additions. */
  #route: unknown
  #hasEnded = false
  /** Whether the completed request has a record. Without one, attributes that are set later are ignored. */
  #isLogged = false

  constructor(
    request: HttpRequest,
    { id, optionErrors }: RequestIdentity,
    target: Target,
    startMillis: number,
    shared: SharedState,
  ) {
    const { settings, selector, bodySelector, counts } = shared
    const { path } = target
    this.#request = request
    this.#startMillis = startMillis
    this.#shared = shared
    this.#optionErrors = optionErrors
    this.id = id
    this.#context = new RequestContext(this, request, path, settings, optionErrors)
    this.#decision = selector.select(request, path, this.#optionErrors)
    counts.requests++
    counts.open++
    if (this.#decision === 'ignored') return
    this.#fields = this.#context.fields()
    const { startMessage } = settings
    if (startMessage !== undefined && this.#decision === 'recorded') settings.logger.info(startMessage, this.#fields)
    addRequestFields(this.#fields, request, target, settings)
    this.bodies = bodySelector.select(request, path, optionErrors)
    addOpenRequest(this)
  }

  /** Created on first access: few programs use it, because in the request's async context every logger adds the same attributes. */
  get logger(): Logger {
    return (this.#logger ??= this.#shared.settings.logger.child(this.#context.attributes))
  }

  /**
   * Created on first access: not every request uses it. Unlike this object, it has no other requests as members, and its methods are bound.
   */
  get current(): CurrentRequest {
    return (this.#current ??= {
      id: this.id,
      set: (attributes) => this.set(attributes),
      fail: (error) => this.fail(error),
    })
  }

  /** Whether the request has ended, as the flight recorder reads it. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get echo(): readonly [name: string, value: string] | undefined {
    const { echoRequestId, requestIdHeader } = this.#shared.settings
    return echoRequestId ? [requestIdHeader, this.id] : undefined
  }

  run<R>(fn: () => R): R {
    const call = (): R => tapErrors(fn, (error) => this.reportError(error))
    return sharedContextStorage().get() === this.#context ? call() : sharedContextStorage().run(this.#context, call)
  }

  reportError(error: unknown): void {
    // A program may throw null or undefined, which would mean that there is no error.
    this.#error ??= error ?? String(error)
  }

  set(attributes: object): void {
    if (this.#decision === 'ignored' || (this.#hasEnded && !this.#isLogged)) return
    this.#add((additions) => this.#optionErrors.callOption('set', () => additions.set(attributes)))
  }

  fail(error: unknown): void {
    if (this.#decision !== 'ignored') this.#add((additions) => additions.fail(error))
  }

  /** Adds to the next record: that of the completed request; after its completion, one that is written a short time later. */
  #add(add: (additions: RequestAdditions) => void): void {
    const pending = this.#additions
    const additions = pending ?? new RequestAdditions()
    this.#additions = additions
    add(additions)
    if (this.#hasEnded && pending === undefined) writeLater(() => this.#logAdditions())
  }

  /** Writes a record with what was added after the request was complete. */
  #logAdditions(): void {
    const additions = this.#additions!
    this.#additions = undefined
    this.#runInArrivalContext(() => {
      const { error } = additions
      const fields = this.#context.fields()
      const route = this.#route ?? additions.route
      if (route !== undefined) fields['http.route'] = route
      fields['request_log.late'] = true
      this.#optionErrors.addTo(fields)
      if (error !== undefined) fields['err'] = error
      additions.addTo(fields, this.#context)
      this.#shared.settings.logger[error === undefined ? 'info' : 'error'](lateMessageOf(fields), fields)
    })
  }

  endAtExit(): void {
    this.end({ ...noResponse, unfinished: 'process_exit' })
  }

  end(response: CompleteResponse): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    const { counts } = this.#shared
    counts.open--
    if (this.#decision === 'ignored') {
      counts.ignored++
      endRequest(this)
    } else {
      removeOpenRequest(this)
      endRequest(this, () => this.#runInArrivalContext(() => this.#logCompletion(response)))
    }
    this.#release()
  }

  /**
   * Frees what later additions do not need. The context of the request, which refers to this object, can live longer than the request, as
   * with a timer.
   */
  #release(): void {
    this.bodies?.release()
    this.bodies = undefined
    this.#request = undefined
    this.#fields = undefined
    this.#error = undefined
  }

  #logCompletion(response: CompleteResponse): void {
    const { settings, counts } = this.#shared
    const exchange = this.#completedRequest(response)
    const { error, durationSeconds, isSlow } = exchange
    const { statusCode } = response
    const additions = this.#additions
    // Later additions are for another record, also if this one is sampled out.
    this.#additions = undefined
    const route = response.route ?? additions?.route
    this.#route = route
    const level = chosenLevel(exchange, settings.level, this.#optionErrors)
    const isKept = this.#decision === 'recorded' || isSlow || standardSeverities[level] >= standardSeverities.warn
    if (!isKept) return counts.countSampledOut()
    this.#isLogged = true
    const fields = this.#fields!
    if (route !== undefined) fields['http.route'] = route
    if (statusCode !== undefined) fields['http.response.status_code'] = statusCode
    fields['http.server.request.duration'] = durationSeconds
    const errorType = errorTypeOf(response, error)
    if (errorType !== undefined) fields['error.type'] = errorType
    if (isSlow) fields['request_log.slow'] = true
    const sampledOutCount = counts.takeUnreported()
    if (sampledOutCount !== undefined) fields['request_log.sampled_out'] = sampledOutCount
    addHeaders(fields, responseHeaderPrefix, settings.responseHeaders, response, settings.isSecretParameter)
    this.bodies?.addTo(fields, exchange.request, response, settings)
    const message = messageOf(exchange, fields, settings, this.#optionErrors)
    this.#optionErrors.addTo(fields)
    if (error !== undefined) fields['err'] = error
    additions?.addTo(fields, this.#context)
    settings.logger[level](message, fields)
  }

  #completedRequest(response: CompleteResponse): CompletedRequest {
    const { statusCode } = response
    // An error with a status below 500, such as 400 for an invalid form field, is not one of the server and is not logged.
    const thrown = statusCode === undefined || statusCode >= 500 ? this.#error : undefined
    const error = this.#additions?.error ?? thrown
    // Seconds, rounded to microseconds.
    const durationSeconds = Math.round((monotonic() - this.#startMillis) * 1_000) / 1_000_000
    const completed = { request: this.#request!, response, error, durationSeconds, isSlow: false }
    const { slowMillis } = this.#shared.settings
    if (slowMillis !== undefined) completed.isSlow = isSlowRequest(completed, slowMillis, this.#optionErrors)
    return completed
  }
}
