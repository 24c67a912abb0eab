import { member, ownCopy } from '../options/own-members.ts'
import type { HttpResponse } from './exchange.ts'
import type { NodeResponse, NodeStream } from './node-message.ts'

type HeaderValue = ReturnType<NonNullable<HttpResponse['header']>>

/**
 * Returns a header field of a Node response by case-insensitive name. Headers passed to `writeHead` or to the HTTP/2 stream are not
 * stored in the response, so they are read from the sent head.
 */
export function sentHeader(response: NodeResponse, name: string): HeaderValue {
  const own = response.getHeader(name)
  if (own !== undefined) return own
  const head = member(response, '_header')
  const ofStream = sentHeadersOf(response)?.[name.toLowerCase()]
  if (ofStream !== undefined) return ofStream
  return typeof head === 'string' ? fromHead(head, `${name.toLowerCase()}:`) : undefined
}

/** Returns the sent headers of an HTTP/2 response, in an object without a prototype; undefined if there are none. */
export function sentHeadersOf(response: NodeResponse): NodeStream['sentHeaders'] {
  const stream = member(response, 'stream')
  return ownCopy(stream && member(stream, 'sentHeaders'))
}

/** Returns a field of the sent head. `wanted` is the lowercase name with its colon. */
function fromHead(head: string, wanted: string): HeaderValue {
  const values = head
    .split('\r\n')
    .filter((line) => line.slice(0, wanted.length).toLowerCase() === wanted)
    .map((line) => line.slice(wanted.length).trim())
  return values.length > 1 ? values : values[0]
}
