import type { FetchLevelsRequest } from './fetch-levels.ts'
import type { LevelsEndpoint } from './levels-endpoint.ts'
import { convertNode, type NodeLevelsRequest } from './node-levels.ts'

/** The part of a Fastify request that the levels handler uses. */
export interface FastifyLevelsRequest {
  /** The request of Node. */
  readonly raw: NodeLevelsRequest
}

/** The part of a Fastify reply that the levels handler uses. */
export interface FastifyLevelsReply {
  /** Sets the status. */
  code(status: number): unknown
  /** Sets a header. */
  header(name: string, value: string): unknown
  /** Sends the response. */
  send(body: string): unknown
}

/** The part of a Hono context that the levels handler uses. */
export interface HonoLevelsContext {
  /** The request, with the Fetch API request as `raw`. */
  readonly req: { readonly raw: FetchLevelsRequest }
}

/** The part of a Koa context that the levels handler uses. */
export interface KoaLevelsContext {
  /** The request of Node. */
  readonly req: NodeLevelsRequest
  /** The response of Node. */
  readonly res: object
  /** The request of Koa, on which body parsers set `body`. */
  readonly request: object
  /** The status of the response. */
  status: number
  /** The body of the response. */
  body: unknown
  /** Sets a header of the response. */
  set(name: string, value: string): unknown
}

/** Answers a request of Fastify. It has already read the body. */
export async function respondFastify(
  endpoint: LevelsEndpoint,
  request: FastifyLevelsRequest,
  reply: FastifyLevelsReply,
  bodyMillis: number,
): Promise<void> {
  const { status, headers, body } = await endpoint.respond(convertNode(request.raw, request, bodyMillis))
  reply.code(status)
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  // A reply is an awaitable object, and awaiting it would wait for the client.
  void reply.send(body)
}

/** Answers a request of Koa. */
export async function respondKoa(
  endpoint: LevelsEndpoint,
  context: KoaLevelsContext,
  bodyMillis: number,
): Promise<void> {
  const { status, headers, body } = await endpoint.respond(convertNode(context.req, context.request, bodyMillis))
  context.status = status
  context.body = body
  // After the body, which sets a content type.
  for (const [name, value] of Object.entries(headers)) context.set(name, value)
}
