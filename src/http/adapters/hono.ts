import { member, membersOf } from '../../options/own-members.ts'
import type { Logger } from '../../logger/types.ts'
import { fetchRequest, fetchResponse, type FetchRequest, type FetchResponse } from '../fetch-request.ts'
import { loggerOnDemand } from '../logger-on-demand.ts'
import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog, type RequestLog } from '../request-log.ts'
import type { RequestScope } from '../request-scope.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { nodeRequest } from '../node-request.ts'
import { addMembers } from '../../options/define-member.ts'
import { noResponse } from '../exchange.ts'

/** What is asked of a context of hono. */
interface HonoContext {
  readonly req: { readonly raw: FetchRequest; readonly routePath?: string }
  /** Makes one where there is none yet. */
  readonly res: FetchResponse
  readonly finalized: boolean
  readonly error?: Error | undefined
  readonly env: unknown
  set(key: 'requestId', value: string): void
  set(key: 'log', value: Logger): void
  header(name: string, value: string): void
}

/** Middleware of hono 4. */
export interface HonoRequestLog {
  /** The middleware, to be used before everything else. */
  (context: HonoContext, next: () => Promise<void>): Promise<void>
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * A request log for hono, to be used before everything else, on Node and elsewhere. `c.var.requestId` is the request's id, and
 * `c.var.log` a logger that says its attributes also where nothing follows a call chain. On Node, by `@hono/node-server`, the exchange
 * is over when the response was sent; elsewhere when its head is there, because nobody says what becomes of the body.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * app.use(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): HonoRequestLog {
  const log = createRequestLog(options)
  const exchanges = new NodeExchanges(log)
  async function handle(context: HonoContext, next: () => Promise<void>): Promise<void> {
    const { scope, end } = enter(context, log, exchanges)
    context.set('requestId', scope.id)
    context.set(
      'log',
      loggerOnDemand(() => scope.logger),
    )
    if (scope.echo !== undefined) context.header(...scope.echo)
    try {
      await scope.run(next)
      // Hono has answered what was thrown already.
      const error = member(context, 'error')
      if (error !== undefined) scope.failed(error)
      // It throws behind all middleware, and answers 500.
      else if (!context.finalized) scope.failed(new Error('no handler has returned a response'))
      end(context.finalized ? context.res : undefined)
    } catch (error) {
      end(undefined)
      throw error
    }
  }
  return addMembers(handle, { stats: () => log.stats() })
}

interface Entered {
  readonly scope: RequestScope
  end(response: FetchResponse | undefined): void
}

function enter(context: HonoContext, log: RequestLog, exchanges: NodeExchanges): Entered {
  const env = Object(context.env) as { incoming?: NodeRequest; outgoing?: NodeResponse }
  const { incoming, outgoing } = membersOf(env, ['incoming', 'outgoing'])
  if (incoming === undefined) return enterFetch(context, log, exchanges)
  let known: string | undefined
  const end = (response: FetchResponse | undefined): void => void (known = routeOf(context, response))
  // Whose client leaves is over before its handler is.
  const route = (): string | undefined => known ?? routeOf(context, undefined)
  if (outgoing !== undefined) return { scope: exchanges.scopeOf(incoming, outgoing, {}, route), end }
  if (member(incoming.headers, 'upgrade') === undefined) return enterFetch(context, log, exchanges)
  // What Node hands over with an upgrade is a connection and no response.
  const before = exchanges.known(incoming)
  if (before !== undefined) return { scope: before, end: () => {} }
  const scope = log.begin(nodeRequest(incoming))
  exchanges.keep(incoming, scope)
  incoming.socket.once('close', () => scope.end({ ...noResponse, route: route() }))
  return { scope, end }
}

function enterFetch(context: HonoContext, log: RequestLog, exchanges: NodeExchanges): Entered {
  const { raw } = context.req
  const before = exchanges.known(raw)
  if (before !== undefined) return { scope: before, end: () => {} }
  const scope = log.begin(fetchRequest(raw))
  exchanges.keep(raw, scope)
  return {
    scope,
    end(response) {
      const { echo } = scope
      // A response that a handler has made by itself knows nothing of headers that were set before.
      if (echo !== undefined && response?.headers.get(echo[0]) === null) context.header(...echo)
      scope.end(fetchResponse(raw, response, routeOf(context, response)))
    },
  }
}

/** Behind the handler it is the handler's; where none was found, it is that of middleware, which ends in `*`. */
function routeOf({ req }: HonoContext, response: FetchResponse | undefined): string | undefined {
  const routePath = member(req, 'routePath')
  if (routePath === '/*' || routePath === '*') return undefined
  return routePath?.endsWith('*') === true && response?.status === 404 ? undefined : routePath
}
