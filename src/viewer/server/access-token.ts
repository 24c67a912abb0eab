import type { IncomingMessage, ServerResponse } from 'node:http'
import { TokenVerifier } from '../../level-control/http/tokens.ts'
import { HttpError } from './http-error.ts'

/** Checks the token of requests: in the header `Authorization` or `X-API-Key`, or in a cookie that the page has after it was opened with the token. */
export class AccessToken {
  private readonly verifier: TokenVerifier | undefined

  constructor(token: string | undefined) {
    this.verifier = token === undefined ? undefined : new TokenVerifier(token)
  }

  /** @throws HttpError without a valid token. */
  check(request: IncomingMessage): void {
    const { verifier } = this
    if (verifier === undefined || verifier.ownerOf(request.headers.authorization) !== undefined) return
    // Clients of Aspire's API send the token in `X-API-Key`.
    for (const sent of [tokenInCookie(request), request.headers['x-api-key']])
      if (typeof sent === 'string' && verifier.ownerOf(`Bearer ${sent}`) !== undefined) return
    throw new HttpError(
      401,
      'open the page with the address that the viewer printed, or send Authorization: Bearer TOKEN',
    )
  }

  /** Answers a request for the page with a valid token in its address: the browser keeps it as a cookie. Returns whether it was answered. */
  signIn(path: string, parameters: URLSearchParams, request: IncomingMessage, response: ServerResponse): boolean {
    const token = parameters.get('token')
    if (path !== '/' || token === null || this.verifier?.ownerOf(`Bearer ${token}`) === undefined) return false
    response.writeHead(303, {
      location: '/',
      'set-cookie': `${cookieName(request)}=${encodeURIComponent(token)}; HttpOnly; SameSite=Strict; Path=/`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    response.end()
    return true
  }
}

/** Returns the name of the cookie. Browsers send cookies to all ports of a host, so each viewer has its own. */
function cookieName({ socket }: IncomingMessage): string {
  return `sluice_token_${socket.localPort}`
}

function tokenInCookie(request: IncomingMessage): string | undefined {
  const start = `${cookieName(request)}=`
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
  const value = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length)
  try {
    return value === undefined ? undefined : decodeURIComponent(value)
  } catch {
    // It is not encoded as this server writes it.
    return undefined
  }
}
