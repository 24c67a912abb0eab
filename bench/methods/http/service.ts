import type { Figures } from '../../figures.ts'
import type { Line, Log, RecordShape } from '../../subjects/subject.ts'

/** What a server does and which records it logs: the same work for every logger. */
export interface Service {
  /** What the load sends, over and over. */
  readonly requests: readonly Request[]
  /** The body of every answer. */
  readonly answer: string
  readonly recordsPerRequest: number
  /** @param log - undefined without logging: then no attributes are created either */
  start(log: Log | undefined): Promise<Running>
  /** @param shape - the records of a request logger, where the subject brings its own */
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
  /** What the server measured before the load started. */
  readonly figures: Figures
  /** The records of the subject's own request logger; undefined where the server calls the logger. */
  readonly shape?: RecordShape | undefined
  /** How many records the server has logged; undefined where a framework or a request logger calls the logger. */
  records(): number | undefined
  /** Resolves when no request is being served any more, and so no record is logged. */
  close(): Promise<void>
}

/** Whether the log matches what was served. Receives each line, in the order in which they were written. */
export interface RecordCheck {
  /** What is wrong with a line; undefined when nothing is. */
  see(line: Line): string | undefined
  /**
   * What is wrong with all lines together.
   * @param answered - the requests whose answers have arrived
   * @param cutOff - how many more may have been in progress when the load stopped
   */
  end(answered: number, cutOff: number): string[]
}
