import { foreignNames, type ForeignNames, type ForeignNameRow } from './foreign-names.ts'
import { foreignRedactionRows } from './foreign-redaction-names.ts'

const createLoggerAnswer = 'set it in createLogger'

/** Options of exporters that users set on the logger. */
const exporterRows: readonly ForeignNameRow[] = [
  ['layout', "write exporter: fdExporter({ layout: 'ecs' })"],
  [
    'exporters transport transports target targets sinks sink appenders reporters attachedTransports outputPaths outputs',
    'write exporter: fdExporter(), or an array of exporters',
  ],
  ['destination dest stream streams output fd out', 'write exporter: fdExporter({ fd: 1 }) or fileExporter({ path })'],
  ['path file filename logFile dirname', "write exporter: fileExporter({ path: 'app.log' })"],
  [
    'url endpoint protocol headers host port collector otlp',
    "write exporter: otlpExporter({ url: 'http://localhost:4318/v1/logs' })",
  ],
  [
    'prettyPrint pretty prettifier prettyLogTemplate stylePrettyLogs prettyLogStyles prettyLogTimeZone color colors colorize colorizeObjects humanReadable',
    "write exporter: fdExporter({ format: 'pretty' })",
  ],
  ['format json type encoding', "write exporter: fdExporter({ format: 'pretty' }), or 'json'"],
  [
    'messageKey errorKey timeKey levelKey levelIdKey nestedKey numericLevel fieldMap',
    "write exporter: fdExporter({ layout: { keys: { message: 'msg' } } })",
  ],
  [
    'timestamp timestampKey time timeFormat dateFormat timezone timeZone translateTime',
    "write exporter: fdExporter({ layout: { time: 'epochMillis' } })",
  ],
  [
    'rotate rotation rotating maxSize maxFiles maxLogSize backups zippedArchive datePattern',
    "write exporter: fileExporter({ path: 'app.log', rotate: { size: 10_000_000, keep: 5 } })",
  ],
  ['sync async write minLength', "write exporter: fdExporter({ write: 'sync' })"],
  [
    'maxQueueSize maxQueueBytes maxExportBatchSize scheduledDelayMillis exportTimeoutMillis onFull bufferSize batchSize flushInterval overflow',
    'set it on the exporter: fdExporter({ maxQueueBytes, onFull })',
  ],
  ['spool', 'write exporter: spool(otlpExporter(), { directory, maxBytes })'],
  ['retry', 'write exporter: otlpExporter({ retry })'],
  ['browser', 'use createLogger and consoleExporter of sluice/core'],
  ['crlf eol lineEnding', 'remove it: lines end with a newline'],
]

/** Names for `createLogger`. */
export const foreignLoggerOptionNames: ForeignNames = foreignNames([
  ...exporterRows,
  ...foreignRedactionRows,
  ['msgPrefix prefix', 'write messagePrefix'],
  [
    'mixin mixinMergeStrategy dynamicMeta getAttributes contextProvider',
    'write enrich: () => ({ … }), a function that returns attributes',
  ],
  [
    'base bindings defaultMeta meta fields properties defaultFields initialFields context metadata defaultContext tags',
    'write attributes: { … }',
  ],
  ['customLevels', 'write levels: { notice: 10 }, with OpenTelemetry severity numbers from 1 to 24'],
  [
    'useOnlyCustomLevels levelComparison levelVal useLevelLabels changeLevelName',
    "remove it: levels adds to the six standard levels; layout: { level: 'NAME' } sets their form",
  ],
  ['formatters', 'write handler to change records, or exporter: fdExporter({ layout }) to change fields'],
  [
    'hooks middleware rewriters filters filter processors onChild onLog beforeLog sampling sample sampleRate',
    'write handler: (next) => ({ handle(record) { … } })',
  ],
  ['enabled silent disabled', "write level: 'silent'"],
  ['minLevel minimumLevel logLevel lowestLevel severity minSeverity minimumSeverity threshold', 'write level'],
  ['depthLimit maxDepth depth', 'write limits: { depth }'],
  ['edgeLimit maxItems maxBreadth', 'write limits: { items }'],
  ['logRecordLimits maxStringLength maxLength truncate', 'write limits: { stringLength, recordBytes }'],
  [
    'exitOnError handleExceptions handleRejections exceptionHandlers rejectionHandlers',
    "remove it, and log in process.on('uncaughtExceptionMonitor', …)",
  ],
  ['category categories loggerName parentNames scope module component', 'write name'],
  ['serviceName service app appName application', "write resource: { 'service.name': 'shop' }"],
  [
    'environment env hostname host.name pid resourceAttributes',
    "write resource: { 'deployment.environment.name': 'production' }",
  ],
  ['serializer', 'write serializers: { err: (error) => … }'],
  [
    'src stack callSite hideLogPositionForProduction includeLocation',
    'remove it: records have no call site; exceptions have their stack',
  ],
  ['contextStorage contextLocalStorage asyncLocalStorage', 'remove it, and write withContext(attributes, fn)'],
  ['loggerProvider', "write provider: 'global', or a LoggerProvider"],
  ['onError errorHandler emitErrs diagLogger', 'write onDiagnostic'],
  ['flushOnExit autoEnd closeOnExit', 'write handleExit'],
  ['flushTimeout shutdownTimeout exitTimeout', 'write exitTimeoutMillis'],
  ['safe strictConfig persist', 'remove it: log calls never throw'],
  ['loggers', 'remove it, and call createLogger({ name, level }) or child() for each'],
  ['timer now timeSource', 'write clock: () => Date.now()'],
])

/** Names for `child`. Its first parameter is the attributes. */
export const foreignChildOptionNames: ForeignNames = foreignNames([
  ['msgPrefix prefix', 'write messagePrefix'],
  ['attributes bindings base meta fields properties', 'pass attributes as the first argument: child({ … })'],
  [
    'customLevels levels formatters mixin hooks exporter exporters transport provider enrich handler resource clock timestamp profile onDiagnostic',
    createLoggerAnswer,
  ],
  ['name version', 'set it in createLogger; write child({ … }) for attributes'],
  ['serializer', 'write serializers: { err: (error) => … }'],
  ['minLevel logLevel', 'write level'],
  ...foreignRedactionRows,
])

/** Names for `defineEvent`. */
export const foreignEventOptionNames: ForeignNames = foreignNames([
  ['severity severityNumber logLevel', "write level: 'warn'"],
  ['attributes schema fields payload body', 'write types: {} as { attributes: … }'],
  ['template msg text description', 'write message'],
  ['name eventName event', "write the name first: defineEvent('order.placed', { … })"],
])

/** Names for `withFlush`. */
export const foreignWithFlushOptionNames: ForeignNames = foreignNames([
  ['timeout flushTimeout', 'write timeoutMillis'],
  ['logger log', 'write loggers: [logger]'],
])

/** Names for `captureConsole`. */
export const foreignCaptureConsoleOptionNames: ForeignNames = foreignNames([
  ['file filename fileName destination dest output', "write path: 'console.log'"],
  ['level logLevel', "write levels: { log: 'info' }"],
  ['sync', "write write: 'sync'"],
  ['format layout exporter', 'write logger: createLogger({ exporter })'],
  ['flushInterval interval', 'write scheduledDelayMillis'],
  ['bufferSize maxBuffer', 'write maxQueueBytes'],
  ['methods', "write levels: { log: 'info' }"],
  ...foreignRedactionRows,
])
