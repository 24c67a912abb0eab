/** The lines that a run must have written, numbered from 0. */
export interface Lines {
  /** How many records are timed, and how many go before. */
  readonly records: number
  readonly warmUp: number
  /** How many the warm-up logs besides, where those that are numbered write nothing. Nobody reads them. */
  readonly enabled?: number
  /** What record number `index` must say; undefined where nothing is written. */
  readonly expected?: (index: number) => Expected
}

/** What a line must say, whatever its layout. */
export interface Expected {
  readonly message: string
  readonly attributes: object
  /** An error whose type, message and stack must be in the line. */
  readonly error?: Error
  /** A span whose ids must be in the line. */
  readonly trace?: TraceIds
}

/** In lower-case hexadecimal. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}
