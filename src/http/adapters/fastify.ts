import { NodeExchanges } from '../node-exchange.ts'
import type { RequestLogOptions } from '../options.ts'
import type { RequestLogStats } from '../counts.ts'
import { createRequestLog } from '../request-log.ts'
import type { NodeRequest, NodeResponse } from '../node-message.ts'
import { addMembers } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'

/** What is asked of a fastify instance. */
interface FastifyInstance {
  addHook(name: 'onRequest', hook: FastifyHook): unknown
  addHook(name: 'onError', hook: FastifyErrorHook): unknown
  readonly server?: { on(event: 'request', listener: (raw: NodeRequest, response: NodeResponse) => void): unknown }
}
type FastifyHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
type FastifyErrorHook = (request: FastifyRequest, reply: FastifyReply, error: Error, done: () => void) => void
interface FastifyRequest {
  readonly raw: NodeRequest
  readonly originalUrl: string
  readonly protocol: string
  readonly ip: string
  readonly routeOptions: { readonly url?: string | undefined }
}
interface FastifyReply {
  readonly raw: NodeResponse
}

/** A plugin of fastify 4 and 5. */
export interface FastifyRequestLog {
  /** The plugin, to be registered before everything else. */
  (app: FastifyInstance, options: unknown, done: () => void): void
  /** What became of the requests. */
  stats(): RequestLogStats
}

/**
 * A request log for fastify, to be registered before everything else. The client's address and the scheme are what `trustProxy`
 * makes of them. With it, fastify's own two records are one too many: `disableRequestLogging: true`. As its logger,
 * `loggerInstance`, fastify takes one of this package as it is.
 *
 * @throws ConfigurationError with every problem of the options.
 *
 * @example
 * ```ts
 * app.register(requestLog({ logger }))
 * ```
 */
export function requestLog(options: RequestLogOptions): FastifyRequestLog {
  const log = createRequestLog(options)
  const exchanges = new NodeExchanges(log)
  const scopeOf = (request: FastifyRequest, { raw: response }: FastifyReply) => {
    const { raw, originalUrl: url, protocol: scheme, ip: clientAddress } = request
    return exchanges.scopeOf(raw, response, { url, scheme, clientAddress }, () => member(request.routeOptions, 'url'))
  }
  /** What fastify answers without its hooks: a path that cannot be decoded, or is too long. */
  function begun(raw: NodeRequest, response: NodeResponse): void {
    const begin = () => exchanges.scopeOf(raw, response)
    if (response.writableEnded) begin()
    // Its router may have to wait until it comes to the hooks.
    else if (exchanges.known(raw) === undefined) response.on('finish', begin)
  }
  function plugin(app: FastifyInstance, _options: unknown, done: () => void): void {
    app.addHook('onRequest', (request, reply, done) => scopeOf(request, reply).run(done))
    app.addHook('onError', (request, reply, error, done) => {
      scopeOf(request, reply).failed(error)
      done()
    })
    // An application inside of another inherits the server of that one, and is not asked for all of its requests.
    if (Object.hasOwn(app, 'server')) app.server?.on('request', begun)
    done()
  }
  return addMembers(plugin, {
    stats: () => log.stats(),
    // For the whole application, not for what is registered in the same plugin.
    [Symbol.for('skip-override')]: true,
    [Symbol.for('fastify.display-name')]: 'sluice',
  })
}
