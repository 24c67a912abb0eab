import { member } from '../../options/own-members.ts'

/** Returns what is logged for the value of a field. */
export type Serializer = (value: never) => unknown

/** Serializers by field name. */
export type Serializers = Record<string, Serializer>

interface Request {
  readonly connection?: { readonly remoteAddress?: unknown; readonly remotePort?: unknown }
  readonly method?: unknown
  readonly originalUrl?: unknown
  readonly url?: unknown
  readonly headers?: unknown
}

/** Serializes a request: method, URL, headers, remote address and port. Other values are returned unchanged. */
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

/** Serializes a response: its status code and its header as text. Other values are returned unchanged. */
function res(response: unknown): unknown {
  const from = Object(response || {}) as { readonly statusCode?: unknown; readonly _header?: unknown }
  const statusCode = member(from, 'statusCode')
  return statusCode ? { statusCode, header: member(from, '_header') } : response
}

/** Serializes an error, with the stacks of its causes. Values without a stack are returned unchanged. */
function err(error: unknown): unknown {
  const from = Object(error || {}) as Error & { code?: unknown; signal?: unknown }
  if (!member(from, 'stack')) return error
  const { message, name } = from
  const [code, signal] = [member(from, 'code'), member(from, 'signal')]
  return { message, name, stack: stackWithCauses(from), code, signal }
}

/** A limit that no intended chain of causes reaches. */
const maxCauses = 100

/** Returns the stack of an error, followed by those of its causes where `cause` is a function, as in VError. */
export function stackWithCauses(error: Error): string {
  let text = String(member(error, 'stack'))
  let next: unknown = error
  for (let count = 0; count < maxCauses; count++) {
    const cause: unknown = member(Object(next) as { cause?: unknown }, 'cause')
    next = typeof cause === 'function' ? cause.call(next) : undefined
    if (!next) break
    const stack = member(Object(next) as Error, 'stack')
    // oxlint-disable-next-line typescript/no-base-to-string
    text += `\nCaused by: ${stack || String(next)}`
  }
  return text
}

/** Serializers to pass as options, or to call. */
export const stdSerializers: {
  /** Serializes a request: method, URL, headers, remote address and port. Other values are returned unchanged. */
  req(request: unknown): unknown
  /** Serializes a response: its status code and its header as text. Other values are returned unchanged. */
  res(response: unknown): unknown
  /** Serializes an error, with the stacks of its causes. Values without a stack are returned unchanged. */
  err(error: unknown): unknown
} = { req, res, err }
