import type { CompleteResponse, HttpRequest } from './exchange.ts'
import type { FrameworkRequest } from './node-request.ts'
import { member } from '../options/own-members.ts'

/** What is asked of a request of fetch. */
export interface FetchRequest {
  /** The method as it was sent, such as `GET`. */
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** The header fields, by name in any case. */
  readonly headers: FetchHeaders
  /** Tells whether who has sent the request is gone. */
  readonly signal?: { readonly aborted: boolean } | null
}

/** What is asked of a response of fetch. */
export interface FetchResponse {
  /** The status code. */
  readonly status: number
  /** The header fields, by name in any case. */
  readonly headers: FetchHeaders
}

interface FetchHeaders {
  /** A field's value; null where there is no such field. */
  get(name: string): string | null
}

/** A request of fetch. Nothing in it says who has sent it. */
export function fetchRequest(request: FetchRequest, known: FrameworkRequest = {}): HttpRequest {
  const { method, url, headers } = request
  return {
    method,
    url,
    scheme: url.startsWith('https:') ? 'https' : 'http',
    clientAddress: undefined,
    ...known,
    header: (name) => headers.get(name) ?? undefined,
  }
}

/** A response of fetch when its head is there; its body may still be on its way. */
export function fetchResponse(
  request: FetchRequest,
  response: FetchResponse | undefined,
  route?: string,
): CompleteResponse {
  return {
    statusCode: response?.status,
    route,
    unfinished: member(request, 'signal')?.aborted === true ? 'aborted' : undefined,
    header: (name) => response?.headers.get(name) ?? undefined,
  }
}
