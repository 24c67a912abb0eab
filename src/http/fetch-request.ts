import type { CompleteResponse, HttpRequest } from './exchange.ts'
import type { FrameworkRequest } from './node-request.ts'
import { member } from '../options/own-members.ts'

/** The part of a Fetch API `Request` that is used here. */
export interface FetchRequest {
  /** The HTTP method as sent, such as `GET`. */
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** The header fields, by case-insensitive name. */
  readonly headers: FetchHeaders
  /** The signal that is aborted when the client disconnects. */
  readonly signal?: (Pick<AbortSignal, 'aborted'> & Partial<Pick<AbortSignal, 'addEventListener'>>) | null
}

/** The part of a Fetch API `Response` that is used here. */
export interface FetchResponse {
  /** The status code. */
  readonly status: number
  /** The header fields, by case-insensitive name. */
  readonly headers: FetchHeaders
}

interface FetchHeaders {
  /** Returns the value of a field, or null. */
  get(name: string): string | null
}

/** Converts a Fetch API request. Such a request contains no client address. */
export function convertFetchRequest(request: FetchRequest, frameworkRequest: FrameworkRequest = {}): HttpRequest {
  const { method, url, headers } = request
  return {
    method,
    url,
    scheme: url.startsWith('https:') ? 'https' : 'http',
    clientAddress: undefined,
    ...frameworkRequest,
    header: (name) => headers.get(name) ?? undefined,
  }
}

/** Converts a Fetch API response. Its body may not be sent yet. */
export function convertFetchResponse(
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
