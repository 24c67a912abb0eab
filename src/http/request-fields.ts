import { member } from '../options/own-members.ts'
import type { HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import { addHeaders, readHeader } from './header-fields.ts'
import type { Settings } from './options.ts'
import { knownMethods, requestHeader } from './semantic-conventions.ts'
import type { Target } from './target.ts'

/**
 * Adds the attributes that only the final record of a request has, in addition to those of all records logged while it is handled.
 */
export function addRequestFields(fields: Fields, request: HttpRequest, { query }: Target, settings: Settings): void {
  const { method } = request
  const [scheme, clientAddress] = [member(request, 'scheme'), member(request, 'clientAddress')]
  if (!knownMethods.has(method)) fields['http.request.method_original'] = method
  if (scheme !== undefined) fields['url.scheme'] = scheme
  if (settings.query && query !== undefined) fields['url.query'] = query
  const { address, port } = authorityOf(request)
  if (address !== undefined) fields['server.address'] = address
  if (port !== undefined) fields['server.port'] = port
  if (clientAddress !== undefined) fields['client.address'] = clientAddress
  const userAgent = fieldOf(request, 'user-agent')
  if (userAgent !== undefined) fields['user_agent.original'] = userAgent
  addHeaders(fields, requestHeader, settings.requestHeaders, request, settings.isSecret)
}

/** Returns the server name that the client used. In HTTP/2 it is a pseudo-header instead of `Host`. */
function authorityOf(request: HttpRequest): Authority {
  const host =
    fieldOf(request, 'host') ?? fieldOf(request, ':authority') ?? /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url)?.[1]
  if (host !== last.host) last = { host, ...parseHost(host) }
  return last
}

/** The parsed parts of the last host: nearly all requests to a server use the same one. */
let last: Authority & { readonly host: string | undefined } = { host: undefined, ...parseHost(undefined) }

interface Authority {
  readonly address: string | undefined
  readonly port: number | undefined
}

function parseHost(host: string | undefined): Authority {
  if (host === undefined || host === '') return { address: undefined, port: undefined }
  const own = host.slice(host.lastIndexOf('@') + 1)
  const colon = own.lastIndexOf(':')
  // The colons of an IPv6 address are inside the brackets.
  const hasPort = colon >= 0 && !own.includes(']', colon)
  if (!hasPort) return { address: own, port: undefined }
  const port = Number(own.slice(colon + 1))
  return { address: own.slice(0, colon), port: port > 0 && port < 65_536 ? port : undefined }
}

function fieldOf(request: HttpRequest, name: string): string | undefined {
  const value = readHeader(request, name)
  return typeof value === 'object' ? String(value[0]) : value === undefined ? undefined : String(value)
}
