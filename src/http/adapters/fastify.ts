import { RequestScopes } from '../request-scopes.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { newRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { addMembers } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'
import { FastifyRequestIds, type FastifyWithIds } from './fastify-request-id.ts'

/** The part of a Fastify instance that is used here. */
interface FastifyInstance extends FastifyWithIds {
  addHook(name: 'onRequest', hook: FastifyHook): unknown
  addHook(name: 'onError', hook: FastifyErrorHook): unknown
  readonly server?: { on(event: 'request', listener: (raw: NodeRequest, response: NodeResponse) => void): unknown }
}
type FastifyHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
type FastifyErrorHook = (request: FastifyRequest, reply: FastifyReply, error: Error, done: () => void) => void
interface FastifyRequest {
  readonly id?: unknown
  readonly raw: NodeRequest
  readonly originalUrl: string
  readonly protocol: string
  readonly ip: string
  readonly routeOptions: { readonly url?: string | undefined }
}
interface FastifyReply {
  readonly raw: NodeResponse
}

/** Request logging plugin for Fastify 4 and 5. */
export interface FastifyRequestLog {
  /** The plugin. Register it before any other plugin. */
  (app: FastifyInstance, options: unknown, done: () => void): void
  /** Returns the counts of requests. */
  stats(): RequestLogStats
}

/**
 * Creates a request logging plugin for Fastify. Register it before any other plugin. The client address and the scheme follow the
 * `trustProxy` setting. Fastify's `request.id` and the children of its logger get the ID of the request log, unless the program has set
 * `genReqId` or `requestIdHeader`: then the request log uses Fastify's IDs, which with `requestIdHeader` alone are a counter for requests
 * without the header. Fastify's built-in request logging would duplicate these records; turn it off with `disableRequestLogging: true`. A
 * logger of this package can be used as Fastify's `loggerInstance`.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * app.register(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): FastifyRequestLog {
  const log = newRequestLog(options)
  const requestScopes = new RequestScopes(log)
  const requestIds = new FastifyRequestIds(log)
  const scopeOf = (request: FastifyRequest, { raw: response }: FastifyReply) => {
    const { raw, originalUrl: url, protocol: scheme, ip: clientAddress } = request
    const existing = requestScopes.existingScope(raw)
    if (existing !== undefined) return existing
    const identity = requestIds.identityOf(raw, member(request, 'id'))
    return requestScopes.scopeOf(raw, response, { url, scheme, clientAddress }, () => routeOf(request), identity)
  }
  /** Logs requests that Fastify answers without calling its hooks: a path that cannot be decoded, or is too long. */
  function onServerRequest(raw: NodeRequest, response: NodeResponse): void {
    const begin = () => requestScopes.scopeOf(raw, response, {}, undefined, requestIds.identityOf(raw, undefined))
    if (response.writableEnded) begin()
    // The router may be asynchronous, so the hooks may be called later.
    else if (requestScopes.existingScope(raw) === undefined) response.on('finish', begin)
  }
  function plugin(app: FastifyInstance, _options: unknown, done: () => void): void {
    requestIds.install(app)
    app.addHook('onRequest', (request, reply, next) => scopeOf(request, reply).run(next))
    app.addHook('onError', (request, reply, error, next) => {
      scopeOf(request, reply).reportError(error)
      next()
    })
    // A nested application inherits the server of its parent, but does not receive all of its requests.
    if (Object.hasOwn(app, 'server')) app.server?.on('request', onServerRequest)
    done()
  }
  return addMembers(plugin, {
    stats: () => log.stats(),
    // Apply the hooks to the whole application, not only to routes registered in this plugin.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'sluice',
  })
}

function routeOf({ routeOptions }: FastifyRequest): string | undefined {
  return member(routeOptions, 'url')
}
