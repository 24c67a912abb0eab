/** How many requests there were since a request log was made. */
export interface RequestLogStats {
  /** All that have come. */
  readonly requests: number
  /** Not over yet. */
  readonly open: number
  /** Over, without a record, because of `ignore`. */
  readonly ignored: number
  /** Over, without a record, because of `sample`. */
  readonly leftOut: number
}

/** What a request log counts. */
export class Counts {
  requests = 0
  open = 0
  ignored = 0
  leftOut = 0
  /** Of those left out, how many no record has told of. */
  #notTold = 0

  leaveOut(): void {
    this.leftOut++
    this.#notTold++
  }

  /** How many were left out that no record has told of; undefined for none. The record that asks tells of them. */
  takeLeftOut(): number | undefined {
    const notTold = this.#notTold
    this.#notTold = 0
    return notTold === 0 ? undefined : notTold
  }

  stats(): RequestLogStats {
    const { requests, open, ignored, leftOut } = this
    return { requests, open, ignored, leftOut }
  }
}
