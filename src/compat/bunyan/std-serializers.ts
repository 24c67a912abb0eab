import { member } from '../../options/own-members.ts'

/** Makes of a field what is logged of it. */
export type Serializer = (value: never) => unknown

/** Serializers, by the field that they are for. */
export type Serializers = Record<string, Serializer>

interface Request {
  readonly connection?: { readonly remoteAddress?: unknown; readonly remotePort?: unknown }
  readonly method?: unknown
  readonly originalUrl?: unknown
  readonly url?: unknown
  readonly headers?: unknown
}

/** A request: method, URL, headers, and whose it is. What is none is returned as it is. */
function req(request: unknown): unknown {
  const from = Object(request || {}) as Request
  const connection = member(from, 'connection')
  if (!connection) return request
  return {
    method: member(from, 'method'),
    url: member(from, 'originalUrl') || member(from, 'url'),
    headers: member(from, 'headers'),
    remoteAddress: member(connection, 'remoteAddress'),
    remotePort: member(connection, 'remotePort'),
  }
}

/** A response: its status, and its head as text. What is none is returned as it is. */
function res(response: unknown): unknown {
  const from = Object(response || {}) as { readonly statusCode?: unknown; readonly _header?: unknown }
  const statusCode = member(from, 'statusCode')
  return statusCode ? { statusCode, header: member(from, '_header') } : response
}

/** An error, with the stacks of those that a function `cause` names. What has no stack is returned as it is. */
function err(error: unknown): unknown {
  const from = Object(error || {}) as Error & { code?: unknown; signal?: unknown }
  if (!member(from, 'stack')) return error
  const { message, name } = from
  const [code, signal] = [member(from, 'code'), member(from, 'signal')]
  return { message, name, stack: stackWithCauses(from), code, signal }
}

/** More causes than an error that is meant has. */
const mostCauses = 100

/** The stack of an error, and of those behind it where `cause` is a function, as VError has it. */
export function stackWithCauses(error: Error): string {
  let text = String(member(error, 'stack'))
  let next: unknown = error
  for (let count = 0; count < mostCauses; count++) {
    const cause: unknown = member(Object(next) as { cause?: unknown }, 'cause')
    next = typeof cause === 'function' ? cause.call(next) : undefined
    if (!next) break
    const stack = member(Object(next) as Error, 'stack')
    // oxlint-disable-next-line typescript/no-base-to-string
    text += `\nCaused by: ${stack || String(next)}`
  }
  return text
}

/** Serializers to give as options, or to call. */
export const stdSerializers: {
  /** A request: method, URL, headers, and whose it is. What is none is returned as it is. */
  req(request: unknown): unknown
  /** A response: its status, and its head as text. What is none is returned as it is. */
  res(response: unknown): unknown
  /** An error, with the stacks of its causes. What has no stack is returned as it is. */
  err(error: unknown): unknown
} = { req, res, err }
