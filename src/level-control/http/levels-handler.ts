import { ConfigurationError, type ConfigurationProblem } from '../../options/configuration-error.ts'
import { checkOptions, integer } from '../../options/option-checks.ts'
import { foreignNames } from '../../options/foreign-names.ts'
import { member } from '../../options/own-members.ts'
import { copyOptions } from '../../options/own-options.ts'
import { respondFetch, type FetchLevelsRequest } from './fetch-levels.ts'
import {
  respondFastify,
  respondKoa,
  type FastifyLevelsReply,
  type FastifyLevelsRequest,
  type HonoLevelsContext,
  type KoaLevelsContext,
} from './framework-levels.ts'
import { LevelsEndpoint } from './levels-endpoint.ts'
import { respondNode, type NodeLevelsRequest, type NodeLevelsResponse } from './node-levels.ts'
import { fetchRemoteAddress, honoContextOf } from './remote-address.ts'
import { checkToken, TokenVerifier, type LevelsToken } from './tokens.ts'

/** Options of `levelsHandler`. */
export interface LevelsHandlerOptions {
  /**
   * The token that a client sends in `Authorization: Bearer …`, of at least 16 visible ASCII characters, or several tokens with labels.
   * Records of changes contain the label.
   */
  readonly token: string | readonly LevelsToken[]
  /** How long a request may take to send its body, in ms, from 100 to 60,000. @defaultValue `5_000` */
  readonly bodyTimeoutMillis?: number
}

/** A handler for HTTP requests that read and change levels. It detects the server from its arguments. */
export interface LevelsHandler {
  /** Answers a request of Next.js, Bun, Deno, or another server with Fetch API requests. */
  (request: FetchLevelsRequest, ...context: unknown[]): Promise<Response>
  /** Answers a request of `node:http`, `node:http2`, Express or NestJS. */
  (request: NodeLevelsRequest, response: NodeLevelsResponse, ...next: unknown[]): Promise<void>
  /** Answers a request of Fastify. */
  (request: FastifyLevelsRequest, reply: FastifyLevelsReply): Promise<void>
  /** Answers a request of Koa. */
  (context: KoaLevelsContext, ...next: unknown[]): Promise<void>
  // The last one, because Hono's types infer the result from the last signature.
  /** Answers a request of Hono. */
  (context: HonoLevelsContext, ...next: unknown[]): Promise<Response>
}

/**
 * Creates a handler for HTTP requests that read and change the levels of this process: `GET` returns the directives and the level of each
 * logger, `PUT` adds directives, by default for 10 minutes, and `DELETE` reverts them. Each request needs a token. Mount it in your server
 * at a path of your choice.
 *
 * @throws ConfigurationError that lists all problems of the options.
 *
 * @example
 * ```ts
 * app.all('/internal/levels', levelsHandler({ token: process.env.LEVELS_TOKEN! }))
 * ```
 */
export function levelsHandler(options: LevelsHandlerOptions): LevelsHandler {
  const { token, bodyTimeoutMillis = 5_000 } = checkedOptions(options)
  const endpoint = new LevelsEndpoint(new TokenVerifier(token))
  return ((first: object, second: unknown) => respond(endpoint, first, second, bodyTimeoutMillis)) as LevelsHandler
}

async function respond(
  endpoint: LevelsEndpoint,
  first: object,
  second: unknown,
  bodyMillis: number,
): Promise<Response | void> {
  if (isFetchRequest(first)) {
    return respondFetch(
      endpoint,
      first,
      { remoteAddress: fetchRemoteAddress(first, second), cachedText: undefined },
      bodyMillis,
    )
  }
  const hono = honoContextOf(first)
  if (hono !== undefined) return respondFetch(endpoint, hono.request, hono, bodyMillis)
  if (isObject(second) && hasMembers(second, ['setHeader', 'end'])) {
    return respondNode(endpoint, first as NodeLevelsRequest, second as NodeLevelsResponse, bodyMillis)
  }
  if (isObject(second) && hasMembers(second, ['code', 'send'])) {
    return respondFastify(endpoint, first as FastifyLevelsRequest, second as FastifyLevelsReply, bodyMillis)
  }
  if (isObject(first) && hasMembers(first, ['req', 'res'])) {
    return respondKoa(endpoint, first as KoaLevelsContext, bodyMillis)
  }
  throw new TypeError(
    'levelsHandler: unknown arguments; pass a Fetch API Request, or the request and the response of node:http, or mount the handler in Express, Fastify, Hono or Koa',
  )
}

function isFetchRequest(value: object): value is FetchLevelsRequest {
  if (!isObject(value) || !hasMembers(value, ['method', 'url', 'headers'])) return false
  const { headers } = value as { readonly headers: unknown }
  return isObject(headers) && typeof member(headers as { readonly get?: unknown }, 'get') === 'function'
}

/** Returns whether an object has members that are not of `Object.prototype`. */
function hasMembers(value: object, names: readonly string[]): boolean {
  return names.every((name) => member(value as Record<string, unknown>, name) !== undefined)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const optionNames = foreignNames([
  ['tokens secret password auth authorization bearer apiKey key credentials', "write token: '…'"],
  ['timeout bodyTimeout', 'write bodyTimeoutMillis: 5_000'],
  ['path route url prefix', 'remove it, and mount the handler at a path of your server'],
])

const schema = { token: checkToken, bodyTimeoutMillis: integer(100, 60_000) }

function checkedOptions(options: LevelsHandlerOptions): LevelsHandlerOptions {
  const problems: ConfigurationProblem[] = []
  const copy = copyOptions(options, '', problems)
  // Null and other values without members are reported by the check.
  const given: unknown = Object(copy) === copy ? withCopiedTokens(copy, problems) : copy
  checkOptions(given, schema, '', problems, optionNames)
  if (problems.length === 0 && (given as Partial<LevelsHandlerOptions> | undefined)?.token === undefined) {
    const message =
      'is missing; set it to a secret of at least 16 characters, such as the output of: openssl rand -hex 32'
    problems.push({ code: 'SLUICE_OPTION_TYPE', path: 'token', message })
  }
  if (problems.length > 0) throw new ConfigurationError(problems, 'SLUICE_CONFIG', 'levelsHandler')
  return given as LevelsHandlerOptions
}

/** Returns options in which each token is a copy, so that getters are read once. */
function withCopiedTokens(options: LevelsHandlerOptions, problems: ConfigurationProblem[]): LevelsHandlerOptions {
  const { token } = options
  if (!Array.isArray(token)) return options
  const copies = token.map((item: LevelsToken, index) => copyOptions(item, `token[${index}]`, problems))
  return Object.assign(Object.create(null) as LevelsHandlerOptions, options, { token: copies })
}
