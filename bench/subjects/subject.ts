import type { Server } from 'node:http'
import type { TraceIds } from '../scenarios/lines.ts'

/** The interface of the benchmark to a logger. Each method is the call that a user of the logger would write. */
export interface Log {
  text(message: string): void
  attributes(message: string, attributes: object): void
  /** The same with the attributes as the first argument. Absent if the subject does not support that order. */
  attributesFirst?(attributes: object, message: string): void
  /** An error with its stack, and a message. This and the following methods are absent if the subject has no such call. */
  error?(message: string, error: Error): void
  /** A format string with `%s` and `%d`. */
  formatted?(format: string, name: string, count: number): void
  /** A message that contains both attributes. */
  templated?(attributes: { readonly name: string; readonly count: number }): void
  /**
   * The same as `attributes` at a disabled level. It is the logger's own method if the arguments match, so that only that
   * call is timed. Absent without levels.
   */
  disabled?(message: string, attributes: object): void
  /** Creates a child logger that adds `bound` to each record. */
  child?(bound: object): Pick<Log, 'attributes'>
  /**
   * Creates a child logger as for a request, and a child of it with `nestedBound` if that is defined. Logs the records from `from`
   * to `to` (exclusive) with it, and returns it.
   */
  requestChild?(bound: object, nestedBound: object | undefined, from: number, to: number): unknown
  /** The same with the attributes in a context around the calls of one logger. Needs `context` in the setup. */
  requestContext?(bound: object, nestedBound: object | undefined, from: number, to: number): void
  /** The logger itself, for servers that create a child logger for each request. */
  readonly logger?: RequestLogger
  /**
   * The request logger that users of a framework would install.
   *
   * @param records - the number of records per request, if that can be configured
   */
  requestLog?(framework: Framework, records: 1 | 2): Promise<RequestLog>
  /** Resolves when the last byte is written to the descriptor, without waiting for the disk (fsync). */
  flush(): Promise<void> | void
  /** Returns the requests since the last call, if the setup has `otlp`. */
  requests?(): readonly Uint8Array[]
  /** The subject's own counts of records, if it has any. */
  stats?(): { readonly written: number; readonly lost: number }
}

/** The common interface of loggers with child loggers. */
export interface RequestLogger {
  info(attributes: object, message: string): void
  child(bound: object): RequestLogger
}

export type Framework = 'node' | 'express' | 'fastify' | 'koa' | 'hono' | 'nest'

/** A request logger for a framework. */
export interface RequestLog {
  /** The argument of the framework's own function for middleware. */
  readonly middleware?: unknown
  /** Options of the framework, if it has its own request logger. */
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

/** The encodings of OTLP over HTTP. */
export type OtlpProtocol = 'http/json' | 'http/protobuf'

/** The configuration of a logger. Level info is enabled, debug is not, and all lines go to standard output. */
export interface LogSetup {
  /** The attributes of a child logger. Without them, the root logger is used. */
  readonly bound?: object
  /** The attributes of a child of that child logger. */
  readonly nestedBound?: object
  /** Paths whose values are replaced by `censor`. */
  readonly redact?: readonly string[]
  /** Keys whose values are replaced by `censor`, at any depth. */
  readonly redactKeys?: readonly string[]
  /** The ids of an active OpenTelemetry span, which the subject reads from the active context. */
  readonly trace?: TraceIds
  /** The entries of the active baggage, if there is an active span. */
  readonly baggage?: Readonly<Record<string, string>>
  /** Functions that convert the attributes with these names. */
  readonly serializers?: Readonly<Record<string, (value: unknown) => unknown>>
  /** Whether contexts with attributes are used, by `requestContext`. */
  readonly context?: boolean
  /** The protocol of requests that are created from the records, and not sent. */
  readonly otlp?: OtlpProtocol
  /** Additional encodings of each record, whose output is discarded. */
  readonly encodings?: readonly ('otlp' | 'pretty' | 'pino')[]
  /** The minimum for the limits of record size and queue size, in bytes. */
  readonly capacityBytes?: number
}

/** The replacement of a redacted value, which is the same for all subjects. */
export const censor = '[REDACTED]'

/** The content of a line, in a form that is the same for all subjects. */
export interface Line {
  /** In ms since the Unix epoch. */
  readonly time: number
  readonly level: string
  readonly message: unknown
  /** The attributes except those of the error and the span. */
  readonly attributes: unknown
  readonly error?: Readonly<Record<'type' | 'message' | 'stack', unknown>> | undefined
  readonly trace?: Readonly<Record<'traceId' | 'spanId', unknown>> | undefined
}

/** A logger, or a configuration of one, that is measured. */
export interface Subject {
  /** The name, version and configuration, for the report. */
  readonly title: string
  /** The behavior when the destination cannot keep up, for the report. */
  readonly whenFull: string
  /** @param build - the folder of the sluice build, which other subjects ignore */
  open(setup: LogSetup, build: string): Promise<Log>
  read(line: Readonly<Record<string, unknown>>): Line
  /** Reads a line that is not JSON, in place of `read`. */
  readText?(text: string): Line
}
