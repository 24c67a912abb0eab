import type { RequestLogOptions, RequestLogStats } from '../../src/entries/http.ts'
import type { Logger } from '../../src/entries/index.ts'

/** A framework with our adapter and the routes of the suite. */
export interface Host {
  readonly name: string
  start(options: RequestLogOptions, handlers: RouteHandlers): Promise<Running>
  /** Whether the framework provides the route of a request. */
  readonly routes: boolean
  /** Whether the framework reports errors thrown by a handler. */
  readonly errors: boolean
  /** Whether the adapter can observe the response body: streams, aborts, connections. */
  readonly bodies: boolean
  /** Koa reads streams after all middleware has returned. */
  readonly koa?: true
}

export interface Running {
  readonly port: number
  stats(): RequestLogStats
  close(): Promise<void>
}

/** The handlers of the routes, independent of the framework. */
export interface RouteHandlers {
  readonly logger: Logger
  /** `GET /orders/:id`: 200. */
  order(id: string): Promise<string>
  /** `POST /orders`, whose body is JSON: 201. */
  place(body: unknown): Promise<string>
  /** `GET /fails`. */
  fail(): Promise<never>
  /** `GET /refused`: a client error, 422. */
  refuse(): Promise<never>
  /** `GET /slow`: 200, after `release` is called. */
  slow(): Promise<string>
  /** `GET /stream`: 200, with its second half after `release` is called. */
  stream(): AsyncGenerator<string>
  /** `GET /unchanged`: 304 without a body. */
  unchanged(): Promise<void>
}

/** An error whose status frameworks use for the response. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status = 422
  readonly statusCode = 422
  readonly expose = true
}

/** Controls the pending requests of a test. */
export interface Control {
  readonly handlers: RouteHandlers
  /** Returns the number of requests that have reached `slow` or `stream`. */
  pendingCount(): number
  /** Resumes pending and later requests. */
  release(): void
  /** Called in each handler, after it was suspended; undefined for nothing. */
  inHandler: (() => void) | undefined
}

/** Creates the handlers, which log with a logger that is not passed with the request. */
export function controlledHandlers(logger: Logger): Control {
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  const handlers: RouteHandlers = {
    logger,
    async order(id) {
      await Promise.resolve()
      logger.info('inside', { id })
      control.inHandler?.()
      return `order ${id}`
    },
    async place(body) {
      await Promise.resolve()
      logger.info('inside', { body })
      control.inHandler?.()
      return 'placed'
    },
    async fail() {
      await Promise.resolve()
      control.inHandler?.()
      throw new RangeError('no such order')
    },
    async refuse() {
      await Promise.resolve()
      control.inHandler?.()
      throw new Refusal('not like this')
    },
    async slow() {
      control.inHandler?.()
      waiting++
      await gate.promise
      logger.info('inside')
      return 'at last'
    },
    async *stream() {
      yield 'first '
      waiting++
      await gate.promise
      logger.info('inside')
      yield 'second'
    },
    async unchanged() {
      await Promise.resolve()
      logger.info('inside')
    },
  }
  const control: Control = {
    handlers,
    pendingCount: () => waiting,
    release: () => gate.resolve(),
    inHandler: undefined,
  }
  return control
}
