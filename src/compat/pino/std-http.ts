import { define } from '../../options/define-member.ts'
import { member } from '../../options/own-members.ts'

/** A serialized request. The original request is `raw`, which is not enumerable and so not written to lines. */
export interface SerializedRequest {
  /** The request ID set by the framework. */
  id: string | undefined
  /** The method. */
  method: string
  /** The URL or its path. */
  url: string
  /** The parsed query, if the framework provides it. */
  query: Record<string, string>
  /** The route parameters, if the framework provides them. */
  params: Record<string, string>
  /** The header fields by name. The serializer does not redact them. */
  headers: Record<string, string>
  /** The IP address of the peer. */
  remoteAddress: string
  /** The port of the peer. */
  remotePort: number
  /** The original request. */
  raw: unknown
}

/** A serialized response. `statusCode` is null until the headers are sent. */
export interface SerializedResponse {
  /** The status code; null until the headers are sent. */
  statusCode: number | null
  /** The header fields by name. The serializer does not redact them. */
  headers: Record<string, string>
  /** The original response. */
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

/** Reads members of an object or its class into an object without a prototype. */
function members<T extends object>(object: T, names: readonly (keyof T)[]): T {
  const read = Object.create(null) as T
  for (const name of names) read[name] = member(object, name) as T[keyof T]
  return read
}

/** Serializes a request of node:http, Express (`originalUrl`), hapi (`info`, `path`) or Fastify (`raw`). */
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
  return withRaw(data, from.raw || request) as unknown as SerializedRequest
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

/** Serializes a response of node:http, and of frameworks built on it. */
export function res(response: object): SerializedResponse {
  const from = members(response as AnyResponse, responseMembers)
  const data = {
    statusCode: from.headersSent === true ? from.statusCode : null,
    headers:
      typeof from.getHeaders === 'function' ? (response as { getHeaders(): unknown }).getHeaders() : from._headers,
  }
  return withRaw(data, response) as unknown as SerializedResponse
}

function withRaw(data: object, raw: unknown): object {
  define(data, 'raw', { value: raw, writable: true, enumerable: false, configurable: true })
  return data
}

/** Returns `{ req }`, as a request passed alone is logged. */
export function mapHttpRequest(request: object): { req: SerializedRequest } {
  return { req: req(request) }
}

/** Returns `{ res }`, as a response passed alone is logged. */
export function mapHttpResponse(response: object): { res: SerializedResponse } {
  return { res: res(response) }
}
