import type { AnyValue, AnyValueMap } from '../record/any-value.ts'

/** The formats of lines that are read as records. `text` is a line of no known format. */
export type FormatName =
  | 'sluice'
  | 'otel'
  | 'otlp'
  | 'pino'
  | 'bunyan'
  | 'winston'
  | 'tslog'
  | 'logtape'
  | 'ecs'
  | 'gcp'
  | 'datadog'
  | 'json'
  | 'logfmt'
  | 'journald'
  | 'syslog'
  | 'access'
  | 'text'

/** Where a record was read. */
export interface RecordOrigin {
  /** The name of the file as it was given; `-` for standard input. */
  readonly file: string
  /** The number of its first line in the file, from 1; NaN if it is unknown, because only the last lines were read. */
  readonly line: number
  /** The container, pod, unit or process that a prefix or an envelope names; undefined without a name. */
  readonly container: string | undefined
  /** Whether `container` is an application of syslog or a unit of the journal, which is `service.name` or `systemd.unit` in the resource. */
  readonly isApplication?: boolean | undefined
  /** The stream that an envelope names, `stdout` or `stderr`; undefined without one. */
  readonly stream: string | undefined
}

/** A record that was read from a line of any known format, in the data model of OpenTelemetry. */
export interface ReadRecord {
  /** The format of the line; `text` for a line of no known format. */
  readonly format: FormatName
  /** Milliseconds since the Unix epoch, with a fraction where the line has one; undefined without a time. */
  readonly time: number | undefined
  /** The exact time in nanoseconds since the Unix epoch; undefined without a time. */
  readonly timeUnixNano: bigint | undefined
  /** The OpenTelemetry severity number, 1 to 24; 0 if it is unspecified. */
  readonly severityNumber: number
  /** The name of the level in lowercase, such as `info` or a custom one; '' without a level. */
  readonly level: string
  /** The name of the level exactly as in the line, such as `WARNING`; undefined if the line has a number only. */
  readonly severityText: string | undefined
  /** The body of any type; undefined without one. */
  readonly body: AnyValue | undefined
  /** The body if it is a text; undefined for other bodies. */
  readonly message: string | undefined
  /** The name of the event; undefined without one. */
  readonly eventName: string | undefined
  /** The attributes, with the members of the line that are no other part of the record. */
  readonly attributes: AnyValueMap
  /** The attributes of the resource, such as `service.name`. */
  readonly resource: AnyValueMap
  /** The name of the instrumentation scope, such as the name of the logger; undefined without one. */
  readonly scope: string | undefined
  /** The version of the instrumentation scope; undefined without one. */
  readonly scopeVersion: string | undefined
  /** The trace ID as 32 lowercase hexadecimal digits; undefined without a trace. */
  readonly traceId: string | undefined
  /** The span ID as 16 lowercase hexadecimal digits; undefined without a span. */
  readonly spanId: string | undefined
  /** The flags of the trace (W3C Trace Context), such as 1 for a sampled one; undefined without flags. */
  readonly traceFlags: number | undefined
  /** Where the record was read. */
  readonly origin: RecordOrigin
  /** The bytes of all its lines, as they were read, with their line ends: the prefix or envelope, and the stack frames that follow. */
  readonly raw: Uint8Array
}
