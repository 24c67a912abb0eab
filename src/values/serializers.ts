import { member, membersOf } from '../options/own-members.ts'
import { maskPassword } from '../redact/url-password.ts'

/** The logged form of a request. Members that the request does not have are omitted. */
export interface RequestFields {
  readonly id?: unknown
  readonly method?: string
  /** The path and query as sent, such as express's `originalUrl`. A password in it is `[REDACTED]`. */
  readonly url?: string
  readonly headers?: object
  readonly remoteAddress?: string
  readonly remotePort?: number
}

/** The logged form of a response of Node or fetch. */
export interface ResponseFields {
  /** The status code; null while Node has not sent the headers, because until then the number is only a default. */
  readonly statusCode: number | null
  readonly headers?: object
}

/**
 * The serializers of every logger, by top-level key. `err` leaves an Error to the encoder. `req` and `res` convert requests and responses
 * of Node, express, fastify, koa, hapi and fetch, and leave other values unchanged, except for a password in the URL of request data.
 * Header fields are under `headers`, where rules redact credentials. No body is read.
 */
export const standardSerializers: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ['err', (value: unknown) => value],
  ['req', (value: unknown) => (isRequestLike(value) ? requestFields(value) : withMaskedUrl(value))],
  ['res', (value: unknown) => (isResponseLike(value) ? responseFields(value) : value)],
])

/** Returns whether a value is a request: Node's IncomingMessage on a server, a framework's wrapper of it, or fetch's Request. */
export function isRequestLike(value: unknown): value is object {
  return readSafely(value, requestMembers, ({ method, url, headers, header, socket, raw, req, info }) => {
    if (typeof method !== 'string') return false
    if (isHeaders(headers)) return typeof url === 'string'
    // The options of a client have headers too. A request also has a connection or a wrapped request.
    return (isObject(headers) || typeof header === 'function') && [socket, raw, req, info].some(isObject)
  })
}

/** Returns whether a value is a response: Node's ServerResponse or IncomingMessage on a client, a wrapper, or fetch's Response. */
export function isResponseLike(value: unknown): value is object {
  return readSafely(value, responseMembers, ({ statusCode, status, headers, getHeaders, setHeader, socket, ok }) => {
    if (isHeaders(headers)) return typeof status === 'number' && typeof ok === 'boolean'
    if (typeof statusCode !== 'number') return false
    return (
      typeof getHeaders === 'function' || typeof setHeader === 'function' || (isObject(headers) && isObject(socket))
    )
  })
}

/** Returns header fields of fetch as an object. A name that occurs several times (`set-cookie`) has an array. */
export function headerFields(headers: Iterable<readonly [string, string]>): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of headers) {
    const known = fields.get(name)
    fields.set(name, known === undefined ? value : typeof known === 'string' ? [known, value] : [...known, value])
  }
  // fromEntries defines members, so a field named __proto__ becomes an ordinary one.
  return Object.fromEntries(fields)
}

/** The members that are read. They may be missing or of any type. */
type Members = Readonly<Record<string, unknown>>

const requestMembers = ['method', 'url', 'headers', 'header', 'socket', 'raw', 'req', 'info']
const loggedRequestMembers = ['id', 'method', 'originalUrl', 'url', 'path', 'headers', 'socket', 'raw', 'req', 'info']
const responseMembers = ['statusCode', 'status', 'headers', 'getHeaders', 'setHeader', 'socket', 'ok']
const loggedResponseMembers = ['statusCode', 'status', 'headers', 'getHeaders', 'headersSent', 'sent', 'raw']

function requestFields(request: object): RequestFields {
  const given = membersOf(request as Members, loggedRequestMembers)
  const { id, method, originalUrl, url, path, headers, socket, raw, req, info } = given
  const connection = [socket, info, memberOf(raw, 'socket'), memberOf(req, 'socket')].find(isObject)
  const address = [originalUrl, url, memberOf(url, 'href'), path].find((one) => typeof one === 'string')
  const requestId: unknown = typeof id === 'function' ? id.call(request) : (id ?? memberOf(info, 'id'))
  return defined({
    id: requestId,
    method,
    url: address === undefined ? undefined : maskPassword(address),
    headers: isHeaders(headers) ? headerFields(headers) : headers,
    remoteAddress: memberOf(connection, 'remoteAddress'),
    remotePort: memberOf(connection, 'remotePort'),
  }) as RequestFields
}

/** Returns a request that is already data with the password in its URL redacted. Other values stay unchanged. */
function withMaskedUrl(value: unknown): unknown {
  const isData = readSafely(
    value,
    ['method', 'url'],
    ({ method, url }) => typeof method === 'string' && typeof url === 'string',
  )
  if (!isData) return value
  const { url } = value as { url: string }
  const masked = maskPassword(url)
  return masked === url ? value : { ...(value as object), url: masked }
}

function responseFields(response: object): ResponseFields {
  const given = membersOf(response as Members, loggedResponseMembers)
  const { statusCode, status, headers, getHeaders, headersSent, sent, raw } = given
  if (isHeaders(headers)) return { statusCode: status as number, headers: headerFields(headers) }
  const isSent = headersSent ?? sent ?? memberOf(raw, 'headersSent') ?? true
  return defined({
    statusCode: isSent === true ? (statusCode as number) : null,
    headers: typeof getHeaders === 'function' ? (getHeaders.call(response) as object) : (headers as object),
  })
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

function readSafely(value: unknown, names: readonly string[], test: (members: Members) => boolean): boolean {
  if (!isObject(value)) return false
  try {
    return test(membersOf(value as Members, names))
  } catch {
    return false // a getter or a proxy trap
  }
}

function memberOf(value: unknown, key: string): unknown {
  return isObject(value) ? member(value as Members, key) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Returns whether a value is fetch's Headers, of any realm and implementation. */
function isHeaders(value: unknown): value is Headers {
  if (!isObject(value)) return false
  const { append, forEach } = membersOf(value as Members, ['append', 'forEach'])
  return typeof append === 'function' && typeof forEach === 'function' && Symbol.iterator in value
}
