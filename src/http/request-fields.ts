import type { HttpRequest } from './exchange.ts'
import { headerAttributes, readHeader } from './header-fields.ts'
import type { Settings } from './options.ts'
import { knownMethods, requestHeader } from './semantic-conventions.ts'
import type { Target } from './target.ts'

/** What the records of a request say of it beside what all that is logged meanwhile says. */
export function requestFields(request: HttpRequest, { query }: Target, settings: Settings): object {
  const { method, scheme, clientAddress } = request
  const { address, port } = authorityOf(request)
  const fields = {
    'http.request.method_original': knownMethods.has(method) ? undefined : method,
    'url.scheme': scheme,
    'url.query': settings.query ? query : undefined,
    'server.address': address,
    'server.port': port,
    'client.address': clientAddress,
    'user_agent.original': fieldOf(request, 'user-agent'),
  }
  const headers = headerAttributes(requestHeader, settings.requestHeaders, request)
  return headers === undefined ? fields : { ...fields, ...headers }
}

/** The name that the client has for this server; in HTTP/2 it is no header but a part of the request line. */
function authorityOf(request: HttpRequest): {
  readonly address: string | undefined
  readonly port: number | undefined
} {
  const host =
    fieldOf(request, 'host') ?? fieldOf(request, ':authority') ?? /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url)?.[1]
  if (host === undefined || host === '') return { address: undefined, port: undefined }
  const own = host.slice(host.lastIndexOf('@') + 1)
  const colon = own.lastIndexOf(':')
  // In an IPv6 address colons stand inside of the brackets.
  if (colon < 0 || own.indexOf(']', colon) >= 0) return { address: own, port: undefined }
  const port = Number(own.slice(colon + 1))
  return { address: own.slice(0, colon), port: port > 0 && port < 65_536 ? port : undefined }
}

function fieldOf(request: HttpRequest, name: string): string | undefined {
  const value = readHeader(request, name)
  return typeof value === 'object' ? String(value[0]) : value === undefined ? undefined : String(value)
}
