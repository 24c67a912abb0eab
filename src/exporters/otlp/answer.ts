/** What became of one POST. */
export type Answer = Answered | Unanswered

/** A server gave a status. */
export interface Answered {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  /** Decompressed; without it `bodyProblem` says why. */
  readonly body: Uint8Array | undefined
  readonly bodyProblem: 'too large' | 'incomplete' | 'compressed in an unknown way' | undefined
}

/** Nobody did. */
export interface Unanswered {
  readonly status: undefined
  /** A system's or Node's own code where there is one. */
  readonly why: string
  /** The request was handed over whole, so a server may have taken it. */
  readonly mayHaveArrived: boolean
}

/** The longest answer that is read, in bytes after decompression (OTL7). */
export const maxAnswerBytes: number = 4 * 1024 * 1024

/** OpenSSL's codes for a server's alert about our certificate: RFC 8446, 6.2. */
export const clientRefused: RegExp = /_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/
