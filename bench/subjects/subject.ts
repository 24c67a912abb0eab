import type { Server } from 'node:http'
import type { TraceIds } from '../scenarios/lines.ts'

/** What a measured process logs with. Each method is the call that a user of the subject would write. */
export interface Log {
  text(message: string): void
  attributes(message: string, attributes: object): void
  /** The same with the attributes as the first argument. Absent where the subject has no such order. */
  attributesFirst?(attributes: object, message: string): void
  /** An error, its stack in the line, and a message. Absent where the subject has no way to say it; so below. */
  error?(message: string, error: Error): void
  /** printf: `%s` and `%d`. */
  formatted?(format: string, name: string, count: number): void
  /** A message that contains both attributes. */
  templated?(attributes: { readonly name: string; readonly count: number }): void
  /**
   * The same as `attributes` at a level that is not enabled: the logger's own method, where its arguments fit, so that
   * nothing but its call is timed. Absent where there are no levels.
   */
  disabled?(message: string, attributes: object): void
  /** One more logger, which says `bound` with each record. */
  child?(bound: object): Pick<Log, 'attributes'>
  /**
   * Creates a child logger with attributes, and of it another one with `again`, as for a request. Logs the records from `from` up to `to`
   * with it and returns it.
   */
  requestChild?(bound: object, again: object | undefined, from: number, to: number): unknown
  /** The same with the attributes in a context around the calls of one logger. Needs `context` in the setup. */
  requestContext?(bound: object, again: object | undefined, from: number, to: number): void
  /** The logger itself, for servers that create a child of it for each request. */
  readonly logger?: RequestLogger
  /**
   * The request logger that users of a framework would install.
   *
   * @param records - how many records a request is to have, where that can be configured
   */
  requestLog?(framework: Framework, records: 1 | 2): Promise<RequestLog>
  /** Ends when the descriptor has taken the last byte; no subject waits for the disk (fsync) here. */
  flush(): Promise<void> | void
  /** The requests that were made since it was last asked, where the setup wants OTLP. */
  requests?(): readonly Uint8Array[]
  /** What became of the records by the subject's own count, where it keeps one. */
  stats?(): { readonly written: number; readonly lost: number }
}

/** What the loggers have in common that servers create children of. */
export interface RequestLogger {
  info(attributes: object, message: string): void
  child(bound: object): RequestLogger
}

export type Framework = 'node' | 'express' | 'fastify' | 'koa' | 'hono' | 'nest'

/** A request logger for a framework. */
export interface RequestLog {
  /** The argument of the framework's own function for middleware. */
  readonly middleware?: unknown
  /** Options of the framework, where it has a request logger itself. */
  readonly options?: object
  /** Modules that an application of NestJS imports. */
  readonly modules?: readonly unknown[]
  /** Logs the requests of a server of `node:http`. */
  wrap?(server: Server): Server
  readonly shape: RecordShape
}

/** The records of one request. */
export interface RecordShape {
  readonly records: 1 | 2
  /** The last record has the duration of the request. */
  readonly hasDuration: boolean
}

/** The forms of OTLP over HTTP. */
export type OtlpProtocol = 'http/json' | 'http/protobuf'

/** What a scenario asks of the logger. Level info is enabled, debug is not; everything goes to the standard output. */
export interface LogSetup {
  /** Attributes of a child logger; without them the calls go to the root. */
  readonly bound?: object
  /** Attributes of a child of that child. */
  readonly boundAgain?: object
  /** Paths that must be shown as `censor`. */
  readonly redact?: readonly string[]
  /** Keys whose values must be shown as `censor`, at any depth. */
  readonly redactKeys?: readonly string[]
  /** A span of OpenTelemetry with these ids is active in each call; the subject finds it there and puts them into the line. */
  readonly trace?: TraceIds
  /** What attributes of these names go through first. */
  readonly serializers?: Readonly<Record<string, (value: unknown) => unknown>>
  /** Contexts have attributes: `requestContext` is called. */
  readonly context?: boolean
  /** Records become requests of this protocol, which are not sent. */
  readonly otlp?: OtlpProtocol
  /** Further encodings of each record, beside the lines on the standard output; what is encoded is discarded. */
  readonly encodings?: readonly ('otlp' | 'pretty' | 'pino')[]
  /** No string and no record is too long, and the queue holds this many bytes. */
  readonly roomFor?: number
}

/** What is shown in place of a redacted value, by every subject. */
export const censor = '[REDACTED]'

/** What a line says, whatever its layout: the same for all subjects. */
export interface Line {
  /** In ms since the Unix epoch. */
  readonly time: number
  readonly level: string
  readonly message: unknown
  /** Besides the error's and the span's. */
  readonly attributes: unknown
  readonly error?: Readonly<Record<'type' | 'message' | 'stack', unknown>> | undefined
  readonly trace?: Readonly<Record<'traceId' | 'spanId', unknown>> | undefined
}

/** One rival. */
export interface Subject {
  /** What it is and how it is set up, for the report. */
  readonly title: string
  /** What it does when the destination takes less than it is given. */
  readonly whenFull: string
  /** @param build - the folder of the sluice build to measure; the others have no use for it */
  open(setup: LogSetup, build: string): Promise<Log>
  read(line: Readonly<Record<string, unknown>>): Line
  /** Reads a line that is not JSON, in place of `read`. */
  readText?(text: string): Line
}
