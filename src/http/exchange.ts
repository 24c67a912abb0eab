/** What is known of a request when it comes, whoever has taken it. */
export interface HttpRequest {
  /** The method as it was sent, such as `GET`. */
  readonly method: string
  /** The target as it was sent: path and query, or an absolute URL (RFC 9112 section 3.2). */
  readonly url: string
  /** `http` or `https`, as far as this server knows. */
  readonly scheme?: string | undefined
  /** The address of who has sent it, as far as this server knows. */
  readonly clientAddress?: string | undefined
  /** A header field by its name in lower case; undefined where it was not sent. */
  header(name: string): string | readonly string[] | undefined
}

/** What is known of a response when the exchange is over. */
export interface HttpResponse {
  /** undefined: not even the head of a response was sent. */
  readonly statusCode?: number | undefined
  /** The route as it was declared, such as `/orders/:id`: what was asked for, without what differs. */
  readonly route?: string | undefined
  /**
   * Why the response was not sent as a whole: `aborted`, the connection is gone; `process_exit`, the process ends first.
   * Default: it was.
   */
  readonly unfinished?: 'aborted' | 'process_exit' | undefined
  /** A header field of the response by its name in lower case. */
  header?(name: string): number | string | readonly string[] | undefined
}

/** A response with every member, those that are undefined included: none of them is looked up on `Object.prototype`. */
export type CompleteResponse = { readonly [name in keyof Required<HttpResponse>]: HttpResponse[name] }

/** No response: neither a head nor an end of one. */
export const noResponse: CompleteResponse = {
  statusCode: undefined,
  route: undefined,
  unfinished: undefined,
  header: undefined,
}

/** An exchange that is over, as `level` sees it. */
export interface CompletedRequest {
  /** The request of the exchange. */
  readonly request: HttpRequest
  /** The response, as far as there was one. */
  readonly response: HttpResponse
  /** What was thrown instead of a response; undefined where nothing was. */
  readonly error: unknown
  /** From the request's arrival to the end of the response, in seconds. */
  readonly durationSeconds: number
}
