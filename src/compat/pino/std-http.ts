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

/** A serialized response. The original response is `raw`, which is not enumerable and so not written to lines. */
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

/** Copies members of an object or its class to an object without a prototype. */
function readMembers<T extends object>(object: T, names: readonly (keyof T)[]): T {
  const result = Object.create(null) as T
  for (const name of names) result[name] = member(object, name) as T[keyof T]
  return result
}

/** Serializes a request of node:http, Express (`originalUrl`), hapi (`info`, `path`) or Fastify (`raw`). */
export function req(request: object): SerializedRequest {
  const source = readMembers(request as AnyRequest, requestMembers)
  const info = source.info && readMembers(source.info, connectionMembers)
  const connection = info ?? (source.socket && readMembers(source.socket, connectionMembers))
  const data = {
    id: typeof source.id === 'function' ? (request as { id(): unknown }).id() : source.id || info?.id,
    method: source.method,
    url: source.originalUrl || urlOf(source),
    ...(source.query ? { query: source.query } : {}),
    ...(source.params ? { params: source.params } : {}),
    headers: source.headers,
    remoteAddress: connection?.remoteAddress,
    remotePort: connection?.remotePort,
  }
  return withRaw(data, source.raw || request) as unknown as SerializedRequest
}

/** Returns `path` if it is a string, as in hapi, otherwise the path of a parsed URL, or the URL itself. */
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
  const source = readMembers(response as AnyResponse, responseMembers)
  const data = {
    statusCode: source.headersSent === true ? source.statusCode : null,
    headers:
      typeof source.getHeaders === 'function' ? (response as { getHeaders(): unknown }).getHeaders() : source._headers,
  }
  return withRaw(data, response) as unknown as SerializedResponse
}

/** Adds the original object as the member `raw`, which is not enumerable. */
function withRaw(data: object, raw: unknown): object {
  define(data, 'raw', { value: raw, writable: true, enumerable: false, configurable: true })
  return data
}

/** Returns `{ req }`: a request that is passed to a log method is logged as this object. */
export function mapHttpRequest(request: object): { req: SerializedRequest } {
  return { req: req(request) }
}

/** Returns `{ res }`: a response that is passed to a log method is logged as this object. */
export function mapHttpResponse(response: object): { res: SerializedResponse } {
  return { res: res(response) }
}
