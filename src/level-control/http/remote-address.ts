import { member, membersOf } from '../../options/own-members.ts'
import type { FetchLevelsRequest, FetchRequestContext } from './fetch-levels.ts'

/** The context of a request in Hono. */
interface HonoRequest extends FetchRequestContext {
  readonly request: FetchLevelsRequest
}

/** Returns the parts of a Hono context that are used; undefined for another value. */
export function honoContextOf(value: object): HonoRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { req, env } = membersOf(value as { readonly req?: HonoReq; readonly env?: HonoEnv }, ['req', 'env'])
  if (typeof req !== 'object' || req === null) return undefined
  const raw = member(req, 'raw')
  if (raw === undefined || typeof raw.headers?.get !== 'function') return undefined
  const incoming = typeof env === 'object' && env !== null ? member(env, 'incoming') : undefined
  return {
    request: raw,
    remoteAddress: textOr(incoming?.socket?.remoteAddress),
    // Hono keeps a body that it has read.
    cachedText: typeof req.text === 'function' ? () => req.text?.() : undefined,
  }
}

/** Returns the address of the client that Bun or Deno passes with a Fetch API request; undefined for other servers. */
export function fetchRemoteAddress(request: object, context: unknown): string | undefined {
  if (typeof context !== 'object' || context === null) return undefined
  try {
    const { remoteAddr, requestIP } = membersOf(context as DenoInfo & BunServer, ['remoteAddr', 'requestIP'])
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

interface HonoEnv {
  readonly incoming?: SocketOwner
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
