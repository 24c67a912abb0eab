/** The outcome of one POST request. */
export type Answer = HttpResponse | Unanswered

/** A response with a status. */
export interface HttpResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  /** The decompressed body. If it is undefined, `bodyProblem` is the reason. */
  readonly body: Uint8Array | undefined
  readonly bodyProblem: 'too large' | 'incomplete' | 'compressed in an unknown way' | undefined
}

/** A request that got no response. */
export interface Unanswered {
  readonly status: undefined
  /** The error code of the system or of Node, if there is one. */
  readonly why: string
  /** Whether the complete request was sent, so that a server may have accepted it. */
  readonly mayHaveArrived: boolean
}

/** The maximum size of a response that is read, in bytes after decompression (OTL7). */
export const maxAnswerBytes: number = 4 * 1024 * 1024

/** OpenSSL's error codes for a server's alert about the client certificate (RFC 8446, 6.2). */
export const clientRefused: RegExp = /_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/
