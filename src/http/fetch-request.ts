import type { HttpRequest, HttpResponse } from './exchange.ts'
import type { KnownBetter } from './node-request.ts'

/** What is asked of a request of fetch. */
export interface FetchRequest {
  readonly method: string
  readonly url: string
  readonly headers: FetchHeaders
  readonly signal?: { readonly aborted: boolean } | null
}

/** What is asked of a response of fetch. */
export interface FetchResponse {
  readonly status: number
  readonly headers: FetchHeaders
}

interface FetchHeaders {
  get(name: string): string | null
}

/** A request of fetch. Nothing in it says who has sent it. */
export function fetchRequest(request: FetchRequest, known: KnownBetter = {}): HttpRequest {
  const { method, url, headers } = request
  return {
    method,
    url,
    scheme: url.startsWith('https:') ? 'https' : 'http',
    ...known,
    header: (name) => headers.get(name) ?? undefined,
  }
}

/** A response of fetch when its head is there; its body may still be on its way. */
export function fetchResponse(
  { signal }: FetchRequest,
  response: FetchResponse | undefined,
  route?: string,
): HttpResponse {
  return {
    statusCode: response?.status,
    route,
    unfinished: signal?.aborted === true ? 'aborted' : undefined,
    header: (name) => response?.headers.get(name) ?? undefined,
  }
}
