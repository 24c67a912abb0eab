import type { RequestLogOptions, RequestLogStats } from '../../src/entries/http.ts'
import type { Logger } from '../../src/entries/index.ts'

/** A framework with our adapter in it, and the pages of the suite. */
export interface Host {
  readonly name: string
  start(options: RequestLogOptions, pages: Pages): Promise<Running>
  /** Whether the server names the route of a request. */
  readonly routes: boolean
  /** Whether it tells of what a page has thrown. */
  readonly errors: boolean
  /** Whether it sees what becomes of a response when it was returned: streams, aborts, connections. */
  readonly bodies: boolean
  /** Koa reads streams behind all middleware. */
  readonly koa?: true
}

export interface Running {
  readonly port: number
  stats(): RequestLogStats
  close(): Promise<void>
}

/** What the pages do; each host says only how its framework answers with it. */
export interface Pages {
  readonly logger: Logger
  /** `GET /orders/:id`: 200. */
  order(id: string): Promise<string>
  /** `POST /orders`, whose body is JSON: 201. */
  place(body: unknown): Promise<string>
  /** `GET /fails`. */
  fail(): Promise<never>
  /** `GET /refused`: an error of the client's. */
  refuse(): Promise<never>
  /** `GET /slow`: 200, once the test wants it. */
  slow(): Promise<string>
  /** `GET /stream`: 200, and its second half once the test wants it. */
  stream(): AsyncGenerator<string>
  /** `GET /unchanged`: 304 without a body. */
  unchanged(): Promise<void>
}

/** An error that frameworks answer with its status. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status = 422
  readonly statusCode = 422
  readonly expose = true
}

/** What the test decides about a page. */
export interface Control {
  readonly pages: Pages
  /** Requests that have come to `slow` or `stream`. */
  waiting(): number
  /** Lets them go on, and those to come. */
  release(): void
}

/** The pages, all of which say something by a logger that nobody has handed to them with the request. */
export function controlledPages(logger: Logger): Control {
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  const pages: Pages = {
    logger,
    async order(id) {
      await Promise.resolve()
      logger.info('inside', { id })
      return `order ${id}`
    },
    async place(body) {
      await Promise.resolve()
      logger.info('inside', { body })
      return 'placed'
    },
    async fail() {
      await Promise.resolve()
      throw new RangeError('no such order')
    },
    async refuse() {
      await Promise.resolve()
      throw new Refusal('not like this')
    },
    async slow() {
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
  return { pages, waiting: () => waiting, release: () => gate.resolve() }
}
