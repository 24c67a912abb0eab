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
  readonly socket?: { readonly remoteAddress?: unknown; readonly remotePort?: unknown }
  readonly method?: unknown
  readonly originalUrl?: unknown
  readonly path?: unknown
  readonly url?: unknown
  readonly query?: unknown
  readonly params?: unknown
  readonly headers?: unknown
  readonly raw?: unknown
}

/** A request of node:http, express (`originalUrl`), hapi (`info`, `path`), fastify (`raw`). */
export function req(request: object): SerializedRequest {
  const from = request as AnyRequest
  const connection = from.info ?? from.socket
  const data: Record<string, unknown> = {
    id: typeof from.id === 'function' ? (from as { id(): unknown }).id() : from.id || from.info?.id,
    method: from.method,
    url: from.originalUrl || urlOf(from),
  }
  if (from.query) data.query = from.query
  if (from.params) data.params = from.params
  data.headers = from.headers
  data.remoteAddress = connection?.remoteAddress
  data.remotePort = connection?.remotePort
  return hidden(data, from.raw || request) as unknown as SerializedRequest
}

function urlOf({ path, url }: AnyRequest): unknown {
  if (typeof path === 'string') return path
  return url ? (url as { path?: unknown }).path || url : undefined
}

interface AnyResponse {
  readonly headersSent?: boolean
  readonly statusCode?: number
  readonly getHeaders?: () => unknown
  readonly _headers?: unknown
}

/** A response of node:http, and of what is built on it. */
export function res(response: object): SerializedResponse {
  const from = response as AnyResponse
  const data = {
    statusCode: from.headersSent === true ? from.statusCode : null,
    headers: typeof from.getHeaders === 'function' ? from.getHeaders() : from._headers,
  }
  return hidden(data, response) as unknown as SerializedResponse
}

function hidden(data: object, raw: unknown): object {
  return Object.defineProperty(data, 'raw', { value: raw, writable: true, enumerable: false, configurable: true })
}

/** `{ req }`: what a request by itself is logged as. */
export function mapHttpRequest(request: object): { req: SerializedRequest } {
  return { req: req(request) }
}

/** `{ res }`: what a response by itself is logged as. */
export function mapHttpResponse(response: object): { res: SerializedResponse } {
  return { res: res(response) }
}
