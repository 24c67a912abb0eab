import type { FormatName } from '../record.ts'
import type { JsonMembers } from './json-members.ts'
import type { LevelScale } from './levels.ts'

/** The fields of a record that a member of a JSON object can be. */
export type Field =
  | 'time'
  | 'level'
  | 'severityNumber'
  | 'message'
  | 'eventName'
  | 'scope'
  | 'scopeVersion'
  | 'traceId'
  | 'spanId'
  | 'traceFlags'
  /** An error as an object. */
  | 'exception'
  | 'exceptionType'
  | 'exceptionMessage'
  | 'exceptionStacktrace'
  /** An object with attributes. */
  | 'attributes'
  /** An object with attributes of the resource. */
  | 'resource'

/** The names of members for trace IDs and span IDs that tracers add to the lines of any logger. */
export const traceFields: Readonly<Record<'traceId' | 'spanId' | 'traceFlags', readonly string[]>> = {
  traceId: ['trace_id', 'traceId', 'trace.id', 'dd.trace_id', 'logging.googleapis.com/trace', 'otelTraceID', 'traceID'],
  spanId: ['span_id', 'spanId', 'span.id', 'dd.span_id', 'logging.googleapis.com/spanId', 'otelSpanID', 'spanID'],
  traceFlags: ['trace_flags', 'traceFlags', 'logging.googleapis.com/trace_sampled', 'traceSampled'],
}

/** Members that describe the process: those of pino and bunyan, and those that Datadog's tracer adds to the lines of any logger. */
export const processResource: Readonly<Record<string, string>> = {
  pid: 'process.pid',
  hostname: 'host.name',
  'service.name': 'service.name',
  'dd.service': 'service.name',
  'dd.version': 'service.version',
  'dd.env': 'deployment.environment.name',
}

/** A JSON format whose fields are members of the object, as data. */
export interface JsonFormat {
  readonly name: FormatName
  /**
   * The members that can be each field, by name. The first one that is present and has a suitable value is the field; the others are
   * attributes. A name with dots is also the path of a nested member; a member with the literal name has precedence.
   */
  readonly fields: Readonly<Partial<Record<Field, readonly string[]>>>
  /** Members that are attributes of the resource: their names, and those of the attributes. */
  readonly resource?: Readonly<Record<string, string>>
  /** Members without information, such as the version of the format. */
  readonly ignored?: readonly string[]
  readonly levels: LevelScale
  /** Returns the members with their fields at the places that this format defines; undefined if they are there already. */
  readonly prepare?: (members: JsonMembers) => JsonMembers | undefined
  /**
   * When the members of an object `attributes` are attributes: always, or only if all of them have names that this format does not write at
   * the top level. In the second case, any other object is an attribute itself.
   */
  readonly nested?: 'always' | 'reserved'
  /** For `reserved`: names that this format does not write at the top level, in addition to those of fields. */
  readonly reservedNames?: readonly string[]
}
