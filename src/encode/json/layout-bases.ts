/** The fields of a line that are not the user's. A layout names and places them. */
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

/** A layout this package knows by name. */
export type LayoutName = 'sluice' | 'otel' | 'pino' | 'gcp' | 'ecs' | 'datadog'

/** What a level is written as. */
export type LevelForm = 'name' | 'NAME' | 'standard' | 'severityNumber' | 'pino' | 'gcp'

/** What a time is written as. */
export type TimeForm = 'isoMillis' | 'isoMicros' | 'epochMillis' | 'epochNanos'

/** What the ids of a span are written as: hexadecimal, as LogEntry wants them, or the decimals of Datadog. */
export type TraceForm = 'hex' | 'gcp' | 'datadog'

/** The key of each field. `false`: the field is left out. `undefined`: that part of an exception stays an attribute. */
export type LayoutKeys = Readonly<Record<CoreField, string | false | undefined>>

/** A layout with a name: every choice, as data. */
export interface LayoutBase {
  readonly keys: LayoutKeys
  readonly level: LevelForm
  /** Whether the severity's number is written always, or only where the level's name does not tell it. */
  readonly severityNumber: 'always' | 'custom'
  readonly time: TimeForm
  readonly trace: TraceForm
  readonly attributes: 'nested' | 'flat'
  /** The level stands before the time. */
  readonly levelFirst: boolean
  /** Names that the reader of these lines takes for its own at the top level, whether a line has them or not. */
  readonly reserved: readonly string[]
}

/** In the order of writing: what is ours, then what is the user's. */
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

// The trace keys are those of the OpenTelemetry compatibility page for non-OTLP logs, as are otel.* for the scope.
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
  // `severity_number` stands in a sluice line only where the level's name does not tell it: with custom levels.
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

/** What pino and its serializer of errors write; the ids of a span as OpenTelemetry's instrumentation of pino adds them. */
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

/** The special fields of Cloud Logging's structured logs, and what Error Reporting looks for. */
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
  // `httpRequest` is not one of them: whoever asks for flat attributes can mean it.
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

/** The first three fields in the order that the specification of ECS logging asks for. */
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

/** The reserved and the standard attributes of Datadog; reserved is what its preprocessing of JSON logs looks for. */
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

/** The layouts that have a name. */
export const layoutBases: Readonly<Record<LayoutName, LayoutBase>> = { sluice, otel, pino, gcp, ecs, datadog }

/** The names of the layouts. */
export const layoutNames = Object.keys(layoutBases) as readonly LayoutName[]
