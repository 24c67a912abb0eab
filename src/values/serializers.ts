import { setMember } from '../options/define-member.ts'
import { member, membersOf } from '../options/own-members.ts'
import { ownGetter } from '../record/own-data-value.ts'
import { maskUrlPassword } from '../redact/url-password.ts'

/** The logged form of a request. Members that the request does not have are omitted. */
export interface RequestFields {
  readonly id?: unknown
  readonly method?: string
  /** The path and query as sent, such as express's `originalUrl`, or the whole URL of fetch's Request. A password in it is `[REDACTED]`. */
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
 * The serializers of every logger, by top-level key. `err` returns its value, because the encoder converts Errors. `req` and `res` convert
 * requests and responses of Node, express, fastify, koa, hapi and fetch, and leave other values unchanged, except for a password in the URL
 * of request data. Header fields are under `headers`, where rules redact credentials. No body is read.
 */
export const standardSerializers: ReadonlyMap<string, (value: unknown) => unknown> = new Map([
  ['err', (value: unknown) => value],
  ['req', serializeRequest],
  ['res', serializeResponse],
])

function serializeRequest(value: unknown): unknown {
  const members = readMembers(value, identifyingRequestMembers)
  if (members !== undefined && matches(isRequest, members)) return requestFields(value as object, members)
  const data = members ?? readMembers(value, ['method', 'url'])
  return data === undefined ? value : withMaskedUrl(value as object, data)
}

function serializeResponse(value: unknown): unknown {
  const members = readMembers(value, identifyingResponseMembers)
  return members !== undefined && matches(isResponse, members) ? responseFields(value as object, members) : value
}

/** Returns whether a value is a request: Node's IncomingMessage on a server, a framework's wrapper of it, or fetch's Request. */
export function isRequestLike(value: unknown): value is object {
  const members = readMembers(value, identifyingRequestMembers)
  return members !== undefined && matches(isRequest, members)
}

function isRequest({ method, url, headers, header, socket, raw, req, info }: Members): boolean {
  if (typeof method !== 'string') return false
  if (isHeaders(headers)) return typeof url === 'string'
  // The options of a client have headers too. A request also has a connection or a wrapped request.
  return (isObject(headers) || typeof header === 'function') && [socket, raw, req, info].some(isObject)
}

/** Returns whether a value is a response: Node's ServerResponse or IncomingMessage on a client, a wrapper, or fetch's Response. */
export function isResponseLike(value: unknown): value is object {
  const members = readMembers(value, identifyingResponseMembers)
  return members !== undefined && matches(isResponse, members)
}

function isResponse({ statusCode, status, headers, getHeaders, setHeader, socket, ok }: Members): boolean {
  if (isHeaders(headers)) return typeof status === 'number' && typeof ok === 'boolean'
  if (typeof statusCode !== 'number') return false
  return typeof getHeaders === 'function' || typeof setHeader === 'function' || (isObject(headers) && isObject(socket))
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

/** Some members of an object. They may be missing or of any type. */
type Members = Readonly<Record<string, unknown>>

// Of each kind of object, the members by which it is recognized, and those that are read in addition for its fields.
const identifyingRequestMembers = ['method', 'url', 'headers', 'header', 'socket', 'raw', 'req', 'info']
const otherRequestMembers = ['id', 'originalUrl', 'path']
const identifyingResponseMembers = ['statusCode', 'status', 'headers', 'getHeaders', 'setHeader', 'socket', 'ok']
const otherResponseMembers = ['headersSent', 'sent', 'raw']

function requestFields(request: object, { method, url, headers, socket, raw, req, info }: Members): RequestFields {
  const { id, originalUrl, path } = membersOf(request as Members, otherRequestMembers)
  const connection = [socket, info, memberOf(raw, 'socket'), memberOf(req, 'socket')].find(isObject)
  const requestUrl = [originalUrl, url, memberOf(url, 'href'), path].find((one) => typeof one === 'string')
  const requestId: unknown = typeof id === 'function' ? id.call(request) : (id ?? memberOf(info, 'id'))
  return withoutUndefined({
    id: requestId,
    method,
    url: requestUrl === undefined ? undefined : maskUrlPassword(requestUrl),
    headers: isHeaders(headers) ? headerFields(headers) : headers,
    remoteAddress: memberOf(connection, 'remoteAddress'),
    remotePort: memberOf(connection, 'remotePort'),
  }) as RequestFields
}

/**
 * Returns an object with `method` and `url`, such as a request that was already serialized, with the password in its URL redacted. Returns
 * any other value unchanged.
 */
function withMaskedUrl(value: object, members: Members): object {
  const { method, url } = members
  if (typeof method !== 'string' || typeof url !== 'string') return value
  const masked = maskUrlPassword(url)
  // A getter could return another URL when the encoder calls it.
  if (masked === url && ownGetter(value, 'url') === undefined) return value
  const copy = {}
  for (const key of Object.keys(value))
    setMember(copy, key, Object.hasOwn(members, key) ? members[key] : (value as Members)[key])
  setMember(copy, 'url', masked)
  return copy
}

function responseFields(response: object, { statusCode, status, headers, getHeaders }: Members): ResponseFields {
  const { headersSent, sent, raw } = membersOf(response as Members, otherResponseMembers)
  if (isHeaders(headers)) return { statusCode: status as number, headers: headerFields(headers) }
  const isSent = headersSent ?? sent ?? memberOf(raw, 'headersSent') ?? true
  return withoutUndefined({
    statusCode: isSent === true ? (statusCode as number) : null,
    headers: typeof getHeaders === 'function' ? (getHeaders.call(response) as object) : (headers as object),
  })
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** Returns some members of an object, each read once; undefined if the value is not an object or reading it throws. */
function readMembers(value: unknown, names: readonly string[]): Members | undefined {
  if (!isObject(value)) return undefined
  try {
    return membersOf(value as Members, names)
  } catch {
    return undefined // a getter or a proxy trap
  }
}

/** Returns the result of a test of some members; false if it throws, because one of them is a proxy. */
function matches(test: (members: Members) => boolean, members: Members): boolean {
  try {
    return test(members)
  } catch {
    return false
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
