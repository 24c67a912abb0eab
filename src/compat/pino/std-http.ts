import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'

/** A request as a record shows it; the request itself is `raw`, which no line shows. */
export interface SerializedRequest {
  /** What the framework calls the request. */
  id: string | undefined
  /** The method, as the request says it. */
  method: string
  /** The URL, or its path, as the request says it. */
  url: string
  /** The parsed query, where the framework has one. */
  query: Record<string, string>
  /** The parameters of the route, where the framework has some. */
  params: Record<string, string>
  /** The header fields by name. They are not redacted here. */
  headers: Record<string, string>
  /** The IP address of the other end. */
  remoteAddress: string
  /** The port of the other end. */
  remotePort: number
  /** The request itself. */
  raw: unknown
}

/** A response as a record shows it. `statusCode` is null until its head was sent. */
export interface SerializedResponse {
  /** The status code; null until the head was sent. */
  statusCode: number | null
  /** The header fields by name. They are not redacted here. */
  headers: Record<string, string>
  /** The response itself. */
  raw: unknown
}

interface AnyRequest {
  readonly id?: unknown
  readonly info?: { readonly id?: unknown; readonly remoteAddress?: unknown; readonly remotePort?: unknown }
  readonly socket?: { readonly id?: unknown; readonly remoteAddress?: unknown; readonly remotePort?: unknown }
  readonly method?: unknown
  readonly originalUrl?: unknown
  readonly path?: unknown
  readonly url?: unknown
  readonly query?: unknown
  readonly params?: unknown
  readonly headers?: unknown
  readonly raw?: unknown
}

const requestMembers = [
  'id',
  'info',
  'socket',
  'method',
  'originalUrl',
  'path',
  'url',
  'query',
  'params',
  'headers',
  'raw',
] as const
const connectionMembers = ['id', 'remoteAddress', 'remotePort'] as const
const responseMembers = ['headersSent', 'statusCode', 'getHeaders', '_headers'] as const

/** Reads members of an object or its class into an object that inherits nothing. */
function members<T extends object>(object: T, names: readonly (keyof T)[]): T {
  const read = Object.create(null) as T
  for (const name of names) read[name] = member(object, name) as T[keyof T]
  return read
}

/** A request of node:http, express (`originalUrl`), hapi (`info`, `path`), fastify (`raw`). */
export function req(request: object): SerializedRequest {
  const from = members(request as AnyRequest, requestMembers)
  const info = from.info && members(from.info, connectionMembers)
  const connection = info ?? (from.socket && members(from.socket, connectionMembers))
  const data = {
    id: typeof from.id === 'function' ? (request as { id(): unknown }).id() : from.id || info?.id,
    method: from.method,
    url: from.originalUrl || urlOf(from),
    ...(from.query ? { query: from.query } : {}),
    ...(from.params ? { params: from.params } : {}),
    headers: from.headers,
    remoteAddress: connection?.remoteAddress,
    remotePort: connection?.remotePort,
  }
  return hidden(data, from.raw || request) as unknown as SerializedRequest
}

function urlOf({ path, url }: AnyRequest): unknown {
  if (typeof path === 'string') return path
  return url ? member(Object(url) as { path?: unknown }, 'path') || url : undefined
}

interface AnyResponse {
  readonly headersSent?: boolean
  readonly statusCode?: number
  readonly getHeaders?: () => unknown
  readonly _headers?: unknown
}

/** A response of node:http, and of what is built on it. */
export function res(response: object): SerializedResponse {
  const from = members(response as AnyResponse, responseMembers)
  const data = {
    statusCode: from.headersSent === true ? from.statusCode : null,
    headers:
      typeof from.getHeaders === 'function' ? (response as { getHeaders(): unknown }).getHeaders() : from._headers,
  }
  return hidden(data, response) as unknown as SerializedResponse
}

function hidden(data: object, raw: unknown): object {
  define(data, 'raw', { value: raw, writable: true, enumerable: false, configurable: true })
  return data
}

/** `{ req }`: what a request by itself is logged as. */
export function mapHttpRequest(request: object): { req: SerializedRequest } {
  return { req: req(request) }
}

/** `{ res }`: what a response by itself is logged as. */
export function mapHttpResponse(response: object): { res: SerializedResponse } {
  return { res: res(response) }
}
