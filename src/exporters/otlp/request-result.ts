/** The outcome of one POST request. */
export type RequestResult = HttpResponse | RequestFailure

/** A response with a status. */
export interface HttpResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  /** The decompressed body. If it is undefined, `bodyProblem` is the reason. */
  readonly body: Uint8Array | undefined
  readonly bodyProblem: 'too large' | 'incomplete' | 'unknown content encoding' | undefined
}

/** A request that got no response. */
export interface RequestFailure {
  readonly status: undefined
  /** The error code of the system or of Node, if there is one. */
  readonly why: string
  /** Whether the complete request was sent, so that a server may have accepted it. */
  readonly mayHaveArrived: boolean
}

/** The maximum size of a response that is read, in bytes after decompression (OTL7). */
export const maxResponseBytes: number = 4 * 1024 * 1024

/** OpenSSL's error codes for a server's alert about the client certificate (RFC 8446, 6.2). */
export const clientCertificateRejected: RegExp = /_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/
