import { member, withoutPrototype } from '../options/own-members.ts'
import type { HttpResponse } from './exchange.ts'
import type { NodeResponse, NodeStream } from './node-message.ts'

type HeaderValue = ReturnType<NonNullable<HttpResponse['header']>>

/**
 * Returns a header field of a Node response by case-insensitive name. Headers passed to `writeHead` or to the HTTP/2 stream may be missing
 * in the response; then they are read from the HTTP/2 stream or from the sent head.
 */
export function sentHeader(response: NodeResponse, name: string): HeaderValue {
  const stored = response.getHeader(name)
  if (stored !== undefined) return stored
  const head = member(response, '_header')
  const streamHeader = sentHeadersOf(response)?.[name.toLowerCase()]
  if (streamHeader !== undefined) return streamHeader
  return typeof head === 'string' ? findInHead(head, `${name.toLowerCase()}:`) : undefined
}

/** Returns the sent headers of an HTTP/2 response, in an object without a prototype; undefined if there are none. */
export function sentHeadersOf(response: NodeResponse): NodeStream['sentHeaders'] {
  const stream = member(response, 'stream')
  return withoutPrototype(stream && member(stream, 'sentHeaders'))
}

/** Returns a field of the sent head. `prefix` is the lowercase name with its colon. */
function findInHead(head: string, prefix: string): HeaderValue {
  const values = head
    .split('\r\n')
    .filter((line) => line.slice(0, prefix.length).toLowerCase() === prefix)
    .map((line) => line.slice(prefix.length).trim())
  return values.length > 1 ? values : values[0]
}
