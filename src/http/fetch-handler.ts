import { fetchRequest, fetchResponse, type FetchRequest } from './fetch-request.ts'
import type { RequestLogOptions } from './options.ts'
import type { RequestLogStats } from './counts.ts'
import { createRequestLog, type RequestLog } from './request-log.ts'
import { membersOf } from '../options/own-members.ts'
import { addMembers } from '../options/define-member.ts'

/** Logs the requests of handlers that take a request of fetch and return a response. */
export interface FetchRequestLog {
  /**
   * The handler with a request log around it. What loggers of `createLogger` say in it, and in all it starts, carries the request's
   * attributes. The exchange is over when the response is returned; of its body nobody tells.
   */
  <Request extends FetchRequest, Rest extends unknown[], Returned>(
    handler: (request: Request, ...rest: Rest) => Returned | Promise<Returned>,
  ): (request: Request, ...rest: Rest) => Promise<Returned>
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * A request log for servers of fetch: Bun, Deno, workers, and what frameworks make of them.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * Deno.serve(requestLog({ logger })(handler))
 * ```
 */
export function requestLog(options: RequestLogOptions): FetchRequestLog {
  return fetchRequestLog(options, () => undefined)
}

/** The same where a framework answers what is thrown: `statusOf` knows with which status, and undefined where it is an error. */
export function fetchRequestLog(options: RequestLogOptions, statusOf: StatusOf): FetchRequestLog {
  const log = createRequestLog(options)
  const wrap: Pick<FetchRequestLog, never> & ((handler: Handler) => Handler) = (handler) =>
    logged(log, handler, statusOf)
  return addMembers(wrap as FetchRequestLog, { stats: () => log.stats() })
}

type StatusOf = (thrown: unknown) => number | undefined

type Handler = (request: FetchRequest, ...rest: unknown[]) => unknown

function logged(log: RequestLog, handler: Handler, statusOf: StatusOf): Handler {
  return async (request, ...rest) => {
    const scope = log.begin(fetchRequest(request))
    try {
      const response = await scope.run(async () => handler(request, ...rest))
      if (scope.echo !== undefined && isResponse(response)) echoed(response, scope.echo)
      // A handler need not return one: some leave the answer to others.
      scope.end(fetchResponse(request, isResponse(response) ? response : undefined))
      return response
    } catch (error) {
      scope.end({ ...fetchResponse(request, undefined), statusCode: statusOf(error) })
      throw error
    }
  }
}

function isResponse(value: unknown): value is Response {
  if (typeof value !== 'object' || value === null) return false
  const { status, headers } = membersOf(value as Partial<Response>, ['status', 'headers'])
  return status !== undefined && headers !== undefined
}

function echoed({ headers }: Response, [name, value]: readonly [string, string]): void {
  try {
    headers.set(name, value)
  } catch {
    // a response whose headers nobody can change, such as a redirection: it goes as it is
  }
}
