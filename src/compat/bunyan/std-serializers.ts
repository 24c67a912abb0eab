import { member } from '../../options/own-members.ts'

/** Returns what is logged for the value of a field. */
export type Serializer = (value: never) => unknown

/** Serializers by field name. */
export type Serializers = Record<string, Serializer>

interface RequestLike {
  readonly connection?: { readonly remoteAddress?: unknown; readonly remotePort?: unknown }
  readonly method?: unknown
  readonly originalUrl?: unknown
  readonly url?: unknown
  readonly headers?: unknown
}

/** Serializes a request: method, URL, headers, remote address and port. Other values are returned unchanged. */
function req(request: unknown): unknown {
  const source = Object(request || {}) as RequestLike
  const connection = member(source, 'connection')
  if (!connection) return request
  return {
    method: member(source, 'method'),
    url: member(source, 'originalUrl') || member(source, 'url'),
    headers: member(source, 'headers'),
    remoteAddress: member(connection, 'remoteAddress'),
    remotePort: member(connection, 'remotePort'),
  }
}

/** Serializes a response: its status code and its header as text. Other values are returned unchanged. */
function res(response: unknown): unknown {
  const source = Object(response || {}) as { readonly statusCode?: unknown; readonly _header?: unknown }
  const statusCode = member(source, 'statusCode')
  return statusCode ? { statusCode, header: member(source, '_header') } : response
}

/** Serializes an error, with the stacks of causes that a method `cause()` returns. Values without a stack are returned unchanged. */
function err(error: unknown): unknown {
  const source = Object(error || {}) as Error & { code?: unknown; signal?: unknown }
  if (!member(source, 'stack')) return error
  const { message, name } = source
  const [code, signal] = [member(source, 'code'), member(source, 'signal')]
  return { message, name, stack: stackWithCauses(source), code, signal }
}

/** Maximum number of causes that are read, so that an endless chain of causes ends. */
const maxCauses = 100

/** Returns the stack of an error, followed by those of its causes where `cause` is a function, as in VError. */
export function stackWithCauses(error: Error): string {
  let text = String(member(error, 'stack'))
  let current: unknown = error
  for (let count = 0; count < maxCauses; count++) {
    const cause: unknown = member(Object(current) as { cause?: unknown }, 'cause')
    current = typeof cause === 'function' ? cause.call(current) : undefined
    if (!current) break
    const stack = member(Object(current) as Error, 'stack')
    // oxlint-disable-next-line typescript/no-base-to-string
    text += `\nCaused by: ${stack || String(current)}`
  }
  return text
}

/** Serializers to pass as options, or to call. */
export const stdSerializers: {
  /** Serializes a request: method, URL, headers, remote address and port. Other values are returned unchanged. */
  req(request: unknown): unknown
  /** Serializes a response: its status code and its header as text. Other values are returned unchanged. */
  res(response: unknown): unknown
  /** Serializes an error, with the stacks of causes that a method `cause()` returns. Values without a stack are returned unchanged. */
  err(error: unknown): unknown
} = { req, res, err }
