import type { Figures } from '../../figures.ts'
import type { Line, Log, RecordShape } from '../../subjects/subject.ts'

/** The work of a server and its records, which are the same for every logger. */
export interface Service {
  /** The requests that the load repeats. */
  readonly requests: readonly Request[]
  /** The body of every response. */
  readonly answer: string
  readonly recordsPerRequest: number
  /** @param log - undefined without logging, in which case no attributes are created either */
  start(log: Log | undefined): Promise<Running>
  /** @param shape - the records of the request logger of the subject, if it has one */
  createCheck(shape: RecordShape | undefined): RecordCheck
}

export interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A server that listens on 127.0.0.1. */
export interface Running {
  readonly port: number
  /** Measurements of the server before the load. */
  readonly figures: Figures
  /** The records of the request logger of the subject. Undefined if the server calls the logger. */
  readonly shape?: RecordShape | undefined
  /** The number of logged records. Undefined if a framework or a request logger calls the logger. */
  records(): number | undefined
  /** Resolves when no request is in progress, so that no more records are logged. */
  close(): Promise<void>
}

/** Checks that the log matches the responses. Receives each line in order. */
export interface RecordCheck {
  /** Returns an error in a line, or undefined. */
  checkLine(line: Line): string | undefined
  /**
   * Returns the errors in all lines together.
   * @param answered - the number of requests with a response
   * @param cutOff - the maximum number of requests in progress when the load stopped
   */
  finish(answered: number, cutOff: number): string[]
}
