import { convertFetchRequest, convertFetchResponse, type FetchRequest } from './fetch-request.ts'
import type { RequestLogOptions } from './options.ts'
import type { RequestLogStats } from './counts.ts'
import { noRequest, type CurrentRequest } from './current-request.ts'
import { captureFetchBody, endWithResponse } from './fetch-bodies.ts'
import { newRequestLog, type AdapterLog } from './request-log.ts'
import { RequestScopes } from './request-scopes.ts'
import { membersOf } from '../options/own-members.ts'
import { addMembers } from '../options/define-member.ts'

/** Request logging for handlers that receive a Fetch API `Request` and return a `Response`. */
export interface FetchRequestLog {
  /**
   * Wraps a handler with request logging. Records logged by loggers of `createLogger` in it, and in everything that it starts,
   * include the request's attributes. A request is complete when the response is returned, because the runtime does not signal when
   * the body has been sent; with the option `responseBody`, when the runtime has read the body.
   */
  <Request extends FetchRequest, Rest extends unknown[], Returned>(
    handler: (request: Request, ...rest: Rest) => Returned | Promise<Returned>,
  ): (request: Request, ...rest: Rest) => Promise<Returned>
  /**
   * Returns the request that a handler is called with, as `currentRequest()` does where async context tracking exists. For any other
   * value, the methods of the result have no effect.
   */
  requestOf(request: FetchRequest): CurrentRequest
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/**
 * Creates request logging for servers with Fetch API handlers: Bun, Deno, workers, and frameworks on top of them.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * Deno.serve(requestLog({ logger })(handler))
 * ```
 */
export function requestLog(options: RequestLogOptions): FetchRequestLog {
  return fetchRequestLog(options, () => undefined)
}

/**
 * Creates request logging for a framework that converts thrown values to responses. `statusOf` returns the status of such a
 * response, or undefined when the thrown value is an error.
 */
export function fetchRequestLog(options: RequestLogOptions, statusOf: StatusOf): FetchRequestLog {
  const log = newRequestLog(options)
  const requestScopes = new RequestScopes(log)
  const wrap: Pick<FetchRequestLog, never> & ((handler: Handler) => Handler) = (handler) =>
    withRequestLog(log, requestScopes, handler, statusOf)
  return addMembers(wrap as FetchRequestLog, {
    requestOf: (request: FetchRequest) => requestScopes.existingScope(Object(request) as object)?.current ?? noRequest,
    stats: () => log.stats(),
  })
}

type StatusOf = (thrown: unknown) => number | undefined

type Handler = (request: FetchRequest, ...rest: unknown[]) => unknown

function withRequestLog(log: AdapterLog, requestScopes: RequestScopes, handler: Handler, statusOf: StatusOf): Handler {
  return async (request, ...rest) => {
    const scope = log.begin(convertFetchRequest(request))
    requestScopes.storeScope(request, scope)
    if (scope.bodies?.request !== undefined) captureFetchBody(request, scope.bodies.request)
    try {
      const response = await scope.run(async () => handler(request, ...rest))
      if (isResponse(response)) {
        if (scope.echo !== undefined) addEchoHeader(response, scope.echo)
        return endWithResponse(scope, request, response)
      }
      // A handler may return no response and leave it to another handler.
      scope.end(convertFetchResponse(request, undefined))
      return response
    } catch (error) {
      scope.end({ ...convertFetchResponse(request, undefined), statusCode: statusOf(error) })
      throw error
    }
  }
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers } = membersOf(value as Partial<Response>, ['status', 'headers'])
  return status !== undefined && headers !== undefined
}

function addEchoHeader({ headers }: Response, [name, value]: readonly [string, string]): void {
  try {
    headers.set(name, value)
  } catch {
    // a response with immutable headers, such as a redirect, is returned without the header
  }
}
