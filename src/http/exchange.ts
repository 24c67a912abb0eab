/** A received HTTP request, independent of the server or framework. */
export interface HttpRequest {
  /** The HTTP method as sent, such as `GET`. */
  readonly method: string
  /** The request target as sent: path and query, or an absolute URL (RFC 9112 section 3.2). */
  readonly url: string
  /** `http` or `https`, if known to this server. */
  readonly scheme?: string | undefined
  /** The address of the client, if known to this server. */
  readonly clientAddress?: string | undefined
  /** Returns a header field by its lowercase name; undefined when it was not sent. */
  header(name: string): string | readonly string[] | undefined
}

/** The response of a completed request. */
export interface HttpResponse {
  /** The status code; undefined when no response head was sent. */
  readonly statusCode?: number | undefined
  /** The declared route, such as `/orders/:id`: the requested path with its variable parts as parameters. */
  readonly route?: string | undefined
  /**
   * The reason why the response was not sent completely: `aborted` when the connection was closed, `process_exit` when the process
   * exits first.
   *
   * @defaultValue undefined: the response was sent completely
   */
  readonly unfinished?: 'aborted' | 'process_exit' | undefined
  /** Returns a header field of the response by its lowercase name. */
  header?(name: string): number | string | readonly string[] | undefined
}

/** A response with all members defined, possibly as undefined, so that none is read from `Object.prototype`. */
export type CompleteResponse = { readonly [name in keyof Required<HttpResponse>]: HttpResponse[name] }

/** For a request without an HTTP response: there is no status, and nothing was interrupted. */
export const noResponse: CompleteResponse = {
  statusCode: undefined,
  route: undefined,
  unfinished: undefined,
  header: undefined,
}

/** A completed request, as passed to the options `level` and `message`. */
export interface CompletedRequest {
  /** The request. */
  readonly request: HttpRequest
  /** The response; without a status code if no response head was sent. */
  readonly response: HttpResponse
  /**
   * The error that was passed to `fail`; else the one that was thrown, if the response has no status or a 5xx one; undefined if there is
   * none.
   */
  readonly error: unknown
  /** The time from the arrival of the request to the end of the response, in seconds. */
  readonly durationSeconds: number
  /** Whether it took `slowMillis` or longer. */
  readonly isSlow: boolean
}
