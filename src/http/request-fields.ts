import type { HttpRequest } from './exchange.ts'
import { say, type Fields } from './fields.ts'
import { addHeaders, readHeader } from './header-fields.ts'
import type { Settings } from './options.ts'
import { knownMethods, requestHeader } from './semantic-conventions.ts'
import type { Target } from './target.ts'

/** Adds what the last record of a request says of it beside what all that is logged meanwhile says. */
export function addRequestFields(fields: Fields, request: HttpRequest, { query }: Target, settings: Settings): void {
  const { method, scheme, clientAddress } = request
  if (!knownMethods.has(method)) say(fields, 'http.request.method_original', method)
  say(fields, 'url.scheme', scheme)
  if (settings.query) say(fields, 'url.query', query)
  addAuthority(fields, request)
  say(fields, 'client.address', clientAddress)
  say(fields, 'user_agent.original', fieldOf(request, 'user-agent'))
  addHeaders(fields, requestHeader, settings.requestHeaders, request, settings.isSecret)
}

/** The name that the client has for this server; in HTTP/2 it is no header but a part of the request line. */
function addAuthority(fields: Fields, request: HttpRequest): void {
  const host =
    fieldOf(request, 'host') ?? fieldOf(request, ':authority') ?? /^[a-z]+:\/\/([^/?#]*)/i.exec(request.url)?.[1]
  if (host === undefined || host === '') return
  const own = host.slice(host.lastIndexOf('@') + 1)
  const colon = own.lastIndexOf(':')
  // In an IPv6 address colons stand inside of the brackets.
  const hasPort = colon >= 0 && !own.includes(']', colon)
  say(fields, 'server.address', hasPort ? own.slice(0, colon) : own)
  if (!hasPort) return
  const port = Number(own.slice(colon + 1))
  if (port > 0 && port < 65_536) say(fields, 'server.port', port)
}

function fieldOf(request: HttpRequest, name: string): string | undefined {
  const value = readHeader(request, name)
  return typeof value === 'object' ? String(value[0]) : value === undefined ? undefined : String(value)
}
