import type { Logger } from '../logger/types.ts'
import type { CurrentRequest, CurrentRequestHolder } from './current-request.ts'
import type { CompleteResponse } from './exchange.ts'
import type { RequestBodies } from './request-bodies.ts'

/** The scope of one request, from its arrival to the end of its response. */
export interface RequestScope extends CurrentRequest {
  /** The request ID. */
  readonly id: string
  /** The header name and value to set on the response; undefined unless `echoRequestId` is set. */
  readonly echo: readonly [name: string, value: string] | undefined
  /** A logger with the request's attributes, for runtimes without async context tracking. */
  readonly logger: Logger
  /**
   * Calls `fn`. Every logger of `createLogger` adds the request's attributes in it and in everything that it starts. Returns and
   * throws what `fn` does.
   */
  run<R>(fn: () => R): R
  /**
   * Reports an error thrown while the request was handled. Unlike that of `fail`, it is not logged if the response has a status below
   * 500.
   */
  reportError(error: unknown): void
  /** Completes the request. Only the first call has an effect. */
  end(response: CompleteResponse): void
}

/** A scope with what only the adapters use. */
export interface AdapterScope extends RequestScope, CurrentRequestHolder {
  /** The bodies to copy; undefined if none is logged. */
  readonly bodies: RequestBodies | undefined
}
