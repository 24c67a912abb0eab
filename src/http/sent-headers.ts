import { member, ownCopy } from '../options/own-members.ts'
import type { HttpResponse } from './exchange.ts'
import type { NodeResponse, NodeStream } from './node-message.ts'

type HeaderValue = ReturnType<NonNullable<HttpResponse['header']>>

/**
 * A header field of a response of Node's, by its name in any case. What was handed to `writeHead`, or to the stream of HTTP/2, stands
 * in no table of the response: it is read from the head that was sent.
 */
export function sentHeader(response: NodeResponse, name: string): HeaderValue {
  const own = response.getHeader(name)
  if (own !== undefined) return own
  const head = member(response, '_header')
  const ofStream = sentHeadersOf(response)?.[name.toLowerCase()]
  if (ofStream !== undefined) return ofStream
  return typeof head === 'string' ? fromHead(head, `${name.toLowerCase()}:`) : undefined
}

/** Returns the head of a response of HTTP/2, in an object that inherits nothing; undefined if there is none. */
export function sentHeadersOf(response: NodeResponse): NodeStream['sentHeaders'] {
  const stream = member(response, 'stream')
  return ownCopy(stream && member(stream, 'sentHeaders'))
}

/** `wanted`: the name with its colon. */
function fromHead(head: string, wanted: string): HeaderValue {
  const values = head
    .split('\r\n')
    .filter((line) => line.slice(0, wanted.length).toLowerCase() === wanted)
    .map((line) => line.slice(wanted.length).trim())
  return values.length > 1 ? values : values[0]
}
