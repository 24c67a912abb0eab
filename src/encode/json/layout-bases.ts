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

/** The form in which a level is written. */
export type LevelForm = 'name' | 'NAME' | 'standard' | 'severityNumber' | 'pino' | 'gcp'

/** The form in which a time is written. */
export type TimeForm = 'isoMillis' | 'isoMicros' | 'epochMillis' | 'epochNanos'

/** The form in which span and trace ids are written: hexadecimal, as required by Google's LogEntry, or the decimal numbers of Datadog. */
export type TraceForm = 'hex' | 'gcp' | 'datadog'

/** The key of each field. With `false` the field is omitted; with `undefined` that part of an exception stays an attribute. */
export type LayoutKeys = Readonly<Record<CoreField, string | false | undefined>>

/** A built-in layout, as data. */
export interface LayoutBase {
  readonly keys: LayoutKeys
  readonly level: LevelForm
  /** Whether the severity number is always written, or only if it does not follow from the name of the level. */
  readonly severityNumber: 'always' | 'custom'
  readonly time: TimeForm
  readonly trace: TraceForm
  readonly attributes: 'nested' | 'flat'
  /** Whether the level is written before the time. */
  readonly levelFirst: boolean
  /** Names at the top level to which the consumer of these lines gives its own meaning, whether or not a line contains them. */
  readonly reserved: readonly string[]
}

/** The fields in the order in which they are written: core fields, then the user's attributes. */
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

// The trace keys and the otel.* keys of the scope come from the OpenTelemetry compatibility page for non-OTLP logs.
const shared: LayoutKeys = {
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

const usual = {
  severityNumber: 'custom',
  time: 'isoMillis',
  trace: 'hex',
  attributes: 'nested',
  reserved: [],
  levelFirst: false,
} as const

const sluice: LayoutBase = {
  ...usual,
  // A line contains `severity_number` only for custom levels, whose names do not determine it.
  keys: { ...shared, severityNumber: 'severity_number', serviceName: 'service.name' },
  level: 'name',
}

const otel: LayoutBase = {
  ...usual,
  keys: {
    ...shared,
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
  ...usual,
  keys: {
    ...shared,
    timestamp: 'time',
    message: 'msg',
    scopeName: 'name',
    serviceName: 'service.name',
    exception: 'err',
  },
  level: 'pino',
  time: 'epochMillis',
  attributes: 'flat',
  levelFirst: true,
  reserved: ['pid', 'hostname'],
}

/** The special fields of Cloud Logging's structured logs, and the fields that Error Reporting reads. */
const gcp: LayoutBase = {
  ...usual,
  keys: {
    ...shared,
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
  reserved: [
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
  ...usual,
  keys: {
    ...shared,
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

/** The reserved and standard attributes of Datadog. `reserved` lists the names that its preprocessing of JSON logs reads. */
const datadog: LayoutBase = {
  ...usual,
  keys: {
    ...shared,
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
  reserved: [
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
