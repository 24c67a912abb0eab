/** The lines that a run is expected to write, numbered from 0. */
export interface Lines {
  /** The numbers of timed records and of warm-up records. */
  readonly records: number
  readonly warmUp: number
  /** The number of additional warm-up records, if the numbered ones write nothing. Their lines are not checked. */
  readonly enabled?: number
  /** Returns the expected content of record number `index`. Undefined if nothing is written. */
  readonly expected?: (index: number) => Expected
}

/** The expected content of a line, in any layout. */
export interface Expected {
  readonly message: string
  readonly attributes: object
  /** An error whose type, message and stack are expected in the line. */
  readonly error?: Error
  /** A span whose ids are expected in the line. */
  readonly trace?: TraceIds
}

/** Ids of a span, in lowercase hexadecimal. */
export interface TraceIds {
  readonly traceId: string
  readonly spanId: string
}
