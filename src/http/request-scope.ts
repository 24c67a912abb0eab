import { monotonic } from '../edge/timers.ts'
import type { ContextAttributes } from '../logger/bound.ts'
import type { Logger } from '../logger/types.ts'
import { severityOf } from '../record/severity.ts'
import { contextStorage, hasChains, thisChain, type Chain } from '../runtime/context-storage.ts'
import { contextWith } from '../runtime/with-context.ts'
import type { HttpRequest, HttpResponse } from './exchange.ts'
import { headerAttributes } from './header-fields.ts'
import { closed, opened, type OpenRequest } from './open-requests.ts'
import type { Settings } from './options.ts'
import { requestFields } from './request-fields.ts'
import { requestIdOf } from './request-id.ts'
import type { Selected, Selection } from './selection.ts'
import { knownMethods, leftOut, requestId, requestMethod, responseHeader, urlPath } from './semantic-conventions.ts'
import { chosenLevel, errorTypeOf } from './severity.ts'
import type { Target } from './target.ts'
import { Trouble } from './trouble.ts'

/** One exchange, from its request to the end of its response. None of its functions throws by itself. */
export interface RequestScope {
  /** The request's id. */
  readonly id: string
  /** The header and the value that the response is to carry; undefined unless `echoRequestId` is set. */
  readonly echo: readonly [name: string, value: string] | undefined
  /** A logger whose records say the request's attributes, also where nothing follows a call chain. */
  readonly logger: Logger
  /** Calls `fn`; in it, and in all it starts, every logger says the request's attributes. Returns and throws what `fn` does. */
  run<R>(fn: () => R): R
  /** Something was thrown on the way to a response. It is shown unless the response turns out to be none of 5xx. */
  failed(error: unknown): void
  /** The exchange is over. Only the first call counts. */
  end(response: HttpResponse): void
}

/** What a request log counts. */
export interface Counts {
  requests: number
  open: number
  ignored: number
  leftOut: number
  /** Of those left out, how many no record has told of. */
  notTold: number
}

export class ExchangeScope implements RequestScope, OpenRequest {
  readonly id: string
  readonly logger: Logger
  readonly #request: HttpRequest
  readonly #target: Target
  readonly #start: number
  readonly #settings: Settings
  readonly #counts: Counts
  readonly #trouble = new Trouble()
  readonly #context: ContextAttributes
  #selected: Selected = 'recorded'
  #fields: object | undefined
  #chain: Chain | undefined
  #error: unknown
  #ended = false

  constructor(request: HttpRequest, target: Target, start: number, settings: Settings, counts: Counts) {
    this.#request = request
    this.#target = target
    this.#start = start
    this.#settings = settings
    this.#counts = counts
    this.id = requestIdOf(request, settings, this.#trouble)
    const attributes = this.#attributes()
    this.#context = contextWith(attributes)
    this.logger = hasChains ? settings.logger : settings.logger.child(attributes)
  }

  get echo(): readonly [name: string, value: string] | undefined {
    return this.#settings.echoRequestId ? [this.#settings.requestIdHeader, this.id] : undefined
  }

  /** Counts the request, decides about its records, and writes the first. */
  begin(selection: Selection): void {
    this.#counts.requests++
    this.#counts.open++
    this.#selected = selection.of(this.#request, this.#target.path, this.#trouble)
    if (this.#selected === 'ignored') return
    this.#fields = requestFields(this.#request, this.#target, this.#settings)
    this.#inContext(() => {
      this.#chain = thisChain()
      if (this.#settings.logStart && this.#selected === 'recorded') this.logger.info('request received', this.#fields)
    })
    opened(this)
  }

  run<R>(fn: () => R): R {
    return contextStorage<ContextAttributes>().get() === this.#context
      ? this.#watched(fn)
      : this.#inContext(() => this.#watched(fn))
  }

  failed(error: unknown): void {
    this.#error ??= error ?? String(error)
  }

  cutOff(): void {
    this.end({ unfinished: 'process_exit' })
  }

  end(response: HttpResponse): void {
    if (this.#ended) return
    this.#ended = true
    this.#counts.open--
    if (this.#selected === 'ignored') {
      this.#counts.ignored++
      return
    }
    closed(this)
    this.#chain!(() => this.#record(response))
  }

  #record(response: HttpResponse): void {
    const { statusCode, route, unfinished } = response
    // What was thrown and then answered as the client's fault, a form with a wrong field, is the server's no more.
    const error = statusCode === undefined || statusCode >= 500 ? this.#error : undefined
    const durationSeconds = Math.round((monotonic() - this.#start) * 1_000) / 1_000_000
    const exchange = { request: this.#request, response, error, durationSeconds }
    const level = chosenLevel(exchange, this.#settings.level, this.#trouble)
    if (this.#selected === 'sampled' && severityOf[level] < severityOf.warn) {
      this.#counts.leftOut++
      this.#counts.notTold++
      return
    }
    const attributes = {
      ...this.#fields,
      'http.route': route,
      'http.response.status_code': statusCode,
      'http.server.request.duration': durationSeconds,
      'error.type': errorTypeOf(response, error),
      [leftOut]: this.#takeLeftOut(),
      ...headerAttributes(responseHeader, this.#settings.responseHeaders, response),
      ...this.#trouble.told,
    }
    const message = messageOf(level, unfinished)
    if (error === undefined) this.logger[level](message, attributes)
    else this.logger[level](message, { ...attributes, err: error })
  }

  #takeLeftOut(): number | undefined {
    const { notTold } = this.#counts
    this.#counts.notTold = 0
    return notTold === 0 ? undefined : notTold
  }

  /** What all that is logged meanwhile says of the request. */
  #attributes(): object {
    const { method } = this.#request
    const attributes = {
      [requestId]: this.id,
      [requestMethod]: knownMethods.has(method) ? method : '_OTHER',
      [urlPath]: this.#target.path,
    }
    const { attributes: more } = this.#settings
    if (more === undefined) return attributes
    return { ...this.#trouble.ask('attributes', () => ({ ...Object(more(this.#request)) }) as object), ...attributes }
  }

  #inContext<R>(fn: () => R): R {
    return contextStorage<ContextAttributes>().run(this.#context, fn)
  }

  /** What a handler throws, now or by its promise, is seen and goes on as it was. */
  #watched<R>(fn: () => R): R {
    try {
      const result = fn()
      return isPromise(result) ? (this.#watchedPromise(result) as R) : result
    } catch (error) {
      this.failed(error)
      throw error
    }
  }

  async #watchedPromise(promise: Promise<unknown>): Promise<unknown> {
    try {
      return await promise
    } catch (error) {
      this.failed(error)
      throw error
    }
  }
}

function messageOf(level: string, unfinished: HttpResponse['unfinished']): string {
  if (unfinished !== undefined) return 'request aborted'
  return level === 'error' || level === 'fatal' ? 'request failed' : 'request completed'
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise
}
