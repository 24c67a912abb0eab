/** The outcome of one POST request. */
export type RequestResult = HttpResponse | RequestFailure

/** A response with a status. */
export interface HttpResponse {
  /** The HTTP status; 0 if the runtime does not expose it. */
  readonly status: number
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  /** The decompressed body. If it is undefined, `bodyProblem` is the reason. */
  readonly body: Uint8Array | undefined
  readonly bodyProblem: 'too large' | 'incomplete' | 'unknown content encoding' | undefined
}

/** A request that got no response. */
export interface RequestFailure {
  readonly status: undefined
  /** An error code of the system or of Node, or a short text such as `timed out`; empty if the reason is unknown. */
  readonly why: string
  /** Whether a server may have received and accepted the complete request. */
  readonly mayHaveArrived: boolean
}

/** The maximum size of a response body that is read, in bytes, both before and after decompression. */
export const maxResponseBytes: number = 4 * 1024 * 1024

/** Matches OpenSSL's error codes for a server's alert about the client certificate (RFC 8446, 6.2). */
export const clientCertificateAlert: RegExp = /_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/
