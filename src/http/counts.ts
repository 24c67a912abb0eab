/** Counts of requests since the request log was created. */
export interface RequestLogStats {
  /** All received requests. */
  readonly requests: number
  /** Requests that are not complete yet. */
  readonly open: number
  /** Completed requests without a record because of `ignore`. */
  readonly ignored: number
  /** Completed requests that were sampled out by `sample`. */
  readonly sampledOut: number
}

/** The counters of a request log. */
export class RequestCounts {
  requests = 0
  open = 0
  ignored = 0
  sampledOut = 0
  /** Sampled-out requests that no record has reported yet. */
  #unreported = 0

  countSampledOut(): void {
    this.sampledOut++
    this.#unreported++
  }

  /**
   * Returns the number of sampled-out requests that no record has reported yet, and resets it; undefined for none. The caller's
   * record must report them.
   */
  takeUnreported(): number | undefined {
    const unreported = this.#unreported
    this.#unreported = 0
    return unreported === 0 ? undefined : unreported
  }

  stats(): RequestLogStats {
    const { requests, open, ignored, sampledOut } = this
    return { requests, open, ignored, sampledOut }
  }
}
