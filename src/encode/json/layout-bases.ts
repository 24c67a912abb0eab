/** The fields of a line that this package writes. A layout names and places them. */
export type CoreField =
  | 'timestamp'
  | 'level'
  | 'severityNumber'
  | 'message'
  | 'traceId'
  | 'spanId'
  | 'traceFlags'
  | 'ecsVersion'
  | 'scopeName'
  | 'scopeVersion'
  | 'eventName'
  | 'serviceName'
  | 'serviceVersion'
  | 'serviceContext'
  | 'resource'
  | 'droppedAttributes'
  | 'exceptionType'
  | 'exceptionMessage'
  | 'exceptionStacktrace'
  | 'exception'
  | 'attributes'

/** The name of a built-in layout. */
export type LayoutName = 'sluice' | 'otel' | 'pino' | 'gcp' | 'ecs' | 'datadog'

/** The form in which a level is written; `Layout.level` describes each. */
export type LevelForm = 'name' | 'NAME' | 'standard' | 'severityNumber' | 'pino' | 'gcp'

/** The form in which a time is written; `Layout.time` describes each. */
export type TimeForm = 'isoMillis' | 'isoMicros' | 'epochMillis' | 'epochNanos'

/** The form in which a span is written. `hex`: hexadecimal ids; `gcp`: as Google's LogEntry requires; `datadog`: decimal ids. */
export type TraceForm = 'hex' | 'gcp' | 'datadog'

/**
 * The key of each field. A field with `false` is omitted. Only parts of an exception can be undefined: such a part is written in the object
 * `exception` if the layout has that field, otherwise as an attribute.
 */
export type LayoutKeys = Readonly<Record<CoreField, string | false | undefined>>

/** A built-in layout, as data. */
export interface LayoutBase {
  readonly keys: LayoutKeys
  readonly level: LevelForm
  /** Whether the severity number is always written, or only if it does not follow from the name of the level. */
  readonly severityNumber: 'always' | 'custom'
  readonly time: TimeForm
  readonly trace: TraceForm
  /** Whether attributes are written in an object (`nested`) or at the top level (`flat`). */
  readonly attributes: 'nested' | 'flat'
  /** Whether the level is written before the time. */
  readonly isLevelFirst: boolean
  /** Names at the top level to which the consumer of these lines gives its own meaning, whether or not a line contains them. */
  readonly reservedNames: readonly string[]
}

/** The fields in the order in which they are written, except that a layout with `isLevelFirst` begins with the level. */
export const fieldOrder: readonly CoreField[] = [
  'timestamp',
  'level',
  'severityNumber',
  'message',
  'traceId',
  'spanId',
  'traceFlags',
  'ecsVersion',
  'scopeName',
  'scopeVersion',
  'eventName',
  'serviceName',
  'serviceVersion',
  'serviceContext',
  'resource',
  'droppedAttributes',
  'exceptionType',
  'exceptionMessage',
  'exceptionStacktrace',
  'exception',
  'attributes',
]

// The trace keys are those of OpenTelemetry's "Trace Context in non-OTLP Log Formats"; the otel.* keys of the scope and of dropped
// attributes are those of its "Mapping to non-OTLP Formats".
const sharedKeys: LayoutKeys = {
  timestamp: 'timestamp',
  level: 'level',
  severityNumber: false,
  message: 'message',
  traceId: 'trace_id',
  spanId: 'span_id',
  traceFlags: 'trace_flags',
  ecsVersion: false,
  scopeName: 'otel.scope.name',
  scopeVersion: 'otel.scope.version',
  eventName: 'otel.event.name',
  serviceName: false,
  serviceVersion: false,
  serviceContext: false,
  resource: false,
  droppedAttributes: 'otel.dropped_attributes_count',
  exceptionType: undefined,
  exceptionMessage: undefined,
  exceptionStacktrace: undefined,
  exception: false,
  attributes: 'attributes',
}

const sharedSettings = {
  severityNumber: 'custom',
  time: 'isoMillis',
  trace: 'hex',
  attributes: 'nested',
  reservedNames: [],
  isLevelFirst: false,
} as const

const sluice: LayoutBase = {
  ...sharedSettings,
  // A line contains `severity_number` only if the name of the level does not determine it.
  keys: { ...sharedKeys, severityNumber: 'severity_number', serviceName: 'service.name' },
  level: 'name',
}

const otel: LayoutBase = {
  ...sharedSettings,
  keys: {
    ...sharedKeys,
    level: 'severity_text',
    severityNumber: 'severity_number',
    message: 'body',
    resource: 'resource',
  },
  level: 'NAME',
  severityNumber: 'always',
}

/** The fields that pino and its error serializer write, with span ids as OpenTelemetry's pino instrumentation adds them. */
const pino: LayoutBase = {
  ...sharedSettings,
  keys: {
    ...sharedKeys,
    timestamp: 'time',
    message: 'msg',
    scopeName: 'name',
    serviceName: 'service.name',
    exception: 'err',
  },
  level: 'pino',
  time: 'epochMillis',
  attributes: 'flat',
  isLevelFirst: true,
  reservedNames: ['pid', 'hostname'],
}

/** The special fields of Cloud Logging's structured logs, and the fields that Error Reporting reads. */
const gcp: LayoutBase = {
  ...sharedSettings,
  keys: {
    ...sharedKeys,
    timestamp: 'time',
    level: 'severity',
    severityNumber: 'severity_number',
    traceId: 'logging.googleapis.com/trace',
    spanId: 'logging.googleapis.com/spanId',
    traceFlags: 'logging.googleapis.com/trace_sampled',
    serviceContext: 'serviceContext',
    exceptionStacktrace: 'stack_trace',
  },
  level: 'gcp',
  trace: 'gcp',
  // `httpRequest` is not reserved, because an attribute with that name may be intended when attributes are flat.
  reservedNames: [
    '@type',
    'context',
    'exception',
    'eventTime',
    'log',
    'logging.googleapis.com/http_request',
    'logging.googleapis.com/insertId',
    'logging.googleapis.com/labels',
    'logging.googleapis.com/logName',
    'logging.googleapis.com/monitored_resource',
    'logging.googleapis.com/operation',
    'logging.googleapis.com/projectId',
    'logging.googleapis.com/severity',
    'logging.googleapis.com/sourceLocation',
    'logging.googleapis.com/traceSampled',
    'textPayload',
    'timestamp',
    'timestampNanos',
    'timestampSeconds',
  ],
}

/** The fields of Elastic Common Schema. The first three are in the order that the ECS logging specification requires. */
const ecs: LayoutBase = {
  ...sharedSettings,
  keys: {
    ...sharedKeys,
    timestamp: '@timestamp',
    level: 'log.level',
    traceId: 'trace.id',
    spanId: 'span.id',
    traceFlags: false,
    ecsVersion: 'ecs.version',
    scopeName: 'log.logger',
    serviceName: 'service.name',
    serviceVersion: 'service.version',
    exceptionType: 'error.type',
    exceptionMessage: 'error.message',
    exceptionStacktrace: 'error.stack_trace',
  },
  level: 'name',
}

/** The reserved and standard attributes of Datadog. `reservedNames` lists the names that its preprocessing of JSON logs reads. */
const datadog: LayoutBase = {
  ...sharedSettings,
  keys: {
    ...sharedKeys,
    level: 'status',
    severityNumber: 'otel.severity_number',
    traceId: 'dd.trace_id',
    spanId: 'dd.span_id',
    traceFlags: false,
    scopeName: 'logger.name',
    scopeVersion: 'logger.version',
    serviceName: 'service',
    exceptionType: 'error.kind',
    exceptionMessage: 'error.message',
    exceptionStacktrace: 'error.stack',
  },
  level: 'standard',
  trace: 'datadog',
  attributes: 'flat',
  reservedNames: [
    '@timestamp',
    '_timestamp',
    'Timestamp',
    'contextMap.dd.trace_id',
    'contextMap.spanId',
    'contextMap.traceId',
    'date',
    'dd.service',
    'ddsource',
    'ddtags',
    'eventTime',
    'host',
    'hostname',
    'level',
    'log',
    'msg',
    'otelSpanID',
    'otelTraceID',
    'published_date',
    'severity',
    'source',
    'spanId',
    'span_id',
    'syslog.appname',
    'syslog.hostname',
    'syslog.severity',
    'syslog.timestamp',
    'traceId',
    'trace_id',
  ],
}

/** The built-in layouts. */
export const layoutBases: Readonly<Record<LayoutName, LayoutBase>> = { sluice, otel, pino, gcp, ecs, datadog }

/** The names of the built-in layouts. */
export const layoutNames = Object.keys(layoutBases) as readonly LayoutName[]
