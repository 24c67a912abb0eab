import type { Figures } from '../../figures.ts'
import type { Line, Log } from '../../subjects/subject.ts'

/** What a server does and what it logs of that: the same work, whoever logs. */
export interface Service {
  /** What the load sends, over and over. */
  readonly requests: readonly Request[]
  /** The body of every answer. */
  readonly answer: string
  readonly recordsPerRequest: number
  /** @param log - undefined without logging: then no attributes are made either */
  start(log: Log | undefined): Promise<Running>
  createCheck(): RecordCheck
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
  /** What it found out about itself before the load came. */
  readonly figures: Figures
  /** How many records it has logged, by its own count. */
  records(): number
  /** Ends when nothing is served any more, and so nothing logged. */
  close(): Promise<void>
}

/** Whether the log says what was served. Sees each line, in the order in which they were written. */
export interface RecordCheck {
  /** What is wrong with a line; undefined when nothing is. */
  see(line: Line): string | undefined
  /**
   * What is wrong with the whole.
   * @param answered - the requests whose answers have arrived
   * @param cutOff - how many more may have been under way when the load stopped
   */
  end(answered: number, cutOff: number): string[]
}
