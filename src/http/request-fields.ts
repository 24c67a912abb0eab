import { member } from '../options/own-members.ts'
import type { HttpRequest } from './exchange.ts'
import type { Fields } from './fields.ts'
import { addHeaders, readHeader } from './header-fields.ts'
import type { Settings } from './settings.ts'
import { knownMethods, requestHeaderPrefix } from './semantic-conventions.ts'
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
  const userAgent = headerText(request, 'user-agent')
  if (userAgent !== undefined) fields['user_agent.original'] = userAgent
  addHeaders(fields, requestHeaderPrefix, settings.requestHeaders, request, settings.isSecretParameter)
}

/** Returns the server name and port that the client used: from `Host`, in HTTP/2 usually from `:authority`, or from an absolute URL. */
function authorityOf(request: HttpRequest): Authority {
  const host =
    headerText(request, 'host') ?? headerText(request, ':authority') ?? /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url)?.[1]
  if (host !== lastAuthority.host) lastAuthority = { host, ...parseHost(host) }
  return lastAuthority
}

/** The parsed parts of the last host: nearly all requests to a server use the same one. */
let lastAuthority: Authority & { readonly host: string | undefined } = { host: undefined, ...parseHost(undefined) }

interface Authority {
  readonly address: string | undefined
  readonly port: number | undefined
}

function parseHost(host: string | undefined): Authority {
  if (host === undefined || host === '') return { address: undefined, port: undefined }
  const hostAndPort = host.slice(host.lastIndexOf('@') + 1)
  const colon = hostAndPort.lastIndexOf(':')
  // A colon before a bracket is a part of an IPv6 address.
  const hasPort = colon >= 0 && !hostAndPort.includes(']', colon)
  if (!hasPort) return { address: hostAndPort, port: undefined }
  const port = Number(hostAndPort.slice(colon + 1))
  return { address: hostAndPort.slice(0, colon), port: port > 0 && port < 65_536 ? port : undefined }
}

/** Returns the first value of a header field as text. */
function headerText(request: HttpRequest, name: string): string | undefined {
  const value = readHeader(request, name)
  const first = typeof value === 'object' ? value[0] : value
  return first === undefined ? undefined : String(first)
}
