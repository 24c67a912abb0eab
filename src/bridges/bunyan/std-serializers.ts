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
  const { connection, method, originalUrl, url, headers } = (request || {}) as Request
  if (!connection) return request
  const { remoteAddress, remotePort } = connection
  return { method, url: originalUrl || url, headers, remoteAddress, remotePort }
}

/** A response: its status, and its head as text. What is none is returned as it is. */
function res(response: unknown): unknown {
  const { statusCode, _header: header } = (response || {}) as {
    readonly statusCode?: unknown
    readonly _header?: unknown
  }
  return statusCode ? { statusCode, header } : response
}

/** An error, with the stacks of those that a function `cause` names. What has no stack is returned as it is. */
function err(error: unknown): unknown {
  if (!error || !(error as Error).stack) return error
  const { message, name, code, signal } = error as Error & { code?: unknown; signal?: unknown }
  return { message, name, stack: stackWithCauses(error as Error), code, signal }
}

/** More causes than an error that is meant has. */
const mostCauses = 100

/** The stack of an error, and of those behind it where `cause` is a function, as VError has it. */
export function stackWithCauses(error: Error): string {
  let text = String(error.stack)
  let next: unknown = error
  for (let count = 0; count < mostCauses; count++) {
    const cause: unknown = (next as { cause?: unknown }).cause
    next = typeof cause === 'function' ? cause.call(next) : undefined
    if (!next) break
    const { stack } = next as Error
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
