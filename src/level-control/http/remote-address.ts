import type { FetchLevelsRequest, FetchRequestContext } from './fetch-levels.ts'

/** The context of a request in Hono. */
interface HonoRequest extends FetchRequestContext {
  readonly request: FetchLevelsRequest
}

/** Returns the parts of a Hono context that are used; undefined for another value. */
export function honoContextOf(value: object): HonoRequest | undefined {
  const { req, env } = value as { readonly req?: HonoReq; readonly env?: { readonly incoming?: SocketOwner } }
  const raw = req?.raw
  if (req === undefined || raw === undefined || typeof raw.headers?.get !== 'function') return undefined
  return {
    request: raw,
    remoteAddress: textOr(env?.incoming?.socket?.remoteAddress),
    // Hono keeps a body that it has read.
    cachedText: typeof req.text === 'function' ? () => req.text?.() : undefined,
  }
}

/** Returns the address of the client that Bun or Deno passes with a Fetch API request; undefined for other servers. */
export function fetchRemoteAddress(request: object, context: unknown): string | undefined {
  if (typeof context !== 'object' || context === null) return undefined
  try {
    const { remoteAddr, requestIP } = context as DenoInfo & BunServer
    if (typeof requestIP === 'function') return textOr(requestIP.call(context, request)?.address)
    return textOr(remoteAddr?.hostname)
  } catch {
    return undefined // A server that is stopped.
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

interface HonoReq {
  readonly raw?: FetchLevelsRequest
  text?(): unknown
}

interface SocketOwner {
  readonly socket?: { readonly remoteAddress?: unknown }
}

interface DenoInfo {
  readonly remoteAddr?: { readonly hostname?: unknown }
}

interface BunServer {
  requestIP?(request: object): { readonly address?: unknown } | null
}
