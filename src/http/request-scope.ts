import type { Logger } from '../logger/types.ts'
import type { CompleteResponse } from './exchange.ts'

/** One exchange, from its request to the end of its response. */
export interface RequestScope {
  /** The request's id. */
  readonly id: string
  /** The header and the value that the response is to carry; undefined unless `echoRequestId` is set. */
  readonly echo: readonly [name: string, value: string] | undefined
  /** A logger whose records say the request's attributes, also where nothing follows a call chain. */
  readonly logger: Logger
  /**
   * Calls `fn`; in it, and in all it starts, every logger of `createLogger` says the request's attributes. Returns and throws
   * what `fn` does.
   */
  run<R>(fn: () => R): R
  /** Something was thrown on the way to a response. It is shown unless the response turns out to be none of 5xx. */
  failed(error: unknown): void
  /** The exchange is over. Only the first call counts. */
  end(response: CompleteResponse): void
}
