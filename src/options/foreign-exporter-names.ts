import { foreignNames, type ForeignNames } from './foreign-names.ts'

const createLoggerAnswer = 'set it in createLogger'

/** Names for the options that every exporter has. */
const foreignDeliveryOptionNames: ForeignNames = foreignNames([
  ['queueSize maxQueue queueLimit maxBuffered maxBuffer bufferLimit', 'write maxQueueSize, in records'],
  ['bufferSize highWaterMark maxBufferSize maxBufferLength queueBytes', 'write maxQueueBytes'],
  ['batchSize maxBatchSize batchCount minLength batch', 'write maxExportBatchSize, in records'],
  [
    'flushInterval batchInterval batchTimeout interval periodicFlush scheduleDelay delay delayMillis flushIntervalMs',
    'write scheduledDelayMillis',
  ],
  ['exportTimeout', 'write exportTimeoutMillis'],
  [
    'overflow overflowPolicy dropPolicy onOverflow onDrop backpressure',
    "write onFull: 'dropLowest', 'dropNewest', 'dropOldest' or 'block'",
  ],
  ['minLevel minimumLevel logLevel levels threshold', 'write level'],
  ['redact mask censor', 'set redact in createLogger'],
  ['attributes resource name base serializers limits handler enrich messagePrefix msgPrefix', createLoggerAnswer],
  ['handleExceptions handleRejections silent', 'remove it'],
])

/** Names for exporters that write lines. */
const foreignLineOptionNames: ForeignNames = foreignNames(
  [
    ['prettyPrint messageFormat human', "write format: 'pretty'"],
    ['color colors colorize', "write format: 'pretty', pretty: { colors: true }"],
    ['singleLine', 'write pretty: { multiline: false }'],
    ['translateTime', "write pretty: { time: 'local' }"],
    ['hideObject', "write pretty: { hide: ['*'] }"],
    ['json ndjson', "write format: 'json'"],
    ['formatter encoder encoding', "write format: 'json', 'pretty' or 'otlpJson'"],
    [
      'fields keys messageKey timestampKey levelKey errorKey fieldMap schema',
      "write layout: { keys: { message: 'msg' } }",
    ],
    ['timestamp time timezone timeZone timeFormat dateFormat', "write layout: { time: 'epochMillis' }"],
    ['eol crlf lineEnding', 'remove it: lines end with a newline'],
    ['protocol url endpoint headers', "use otlpExporter({ url: 'http://localhost:4318/v1/logs' })"],
  ],
  foreignDeliveryOptionNames,
)

/** Names for `fdExporter`. */
export const foreignFdOptionNames: ForeignNames = foreignNames(
  [
    ['sync async', "write write: 'sync' or 'turn'"],
    ['stream destination dest output stdout stderr stderrLevels descriptor', 'write fd: 1 for stdout, 2 for stderr'],
    ['path file filename mkdir mode rotate', "use fileExporter({ path: 'app.log' })"],
    ['fsync reopenOn', 'use fileExporter'],
  ],
  foreignLineOptionNames,
)

/** Names for `fileExporter`. */
export const foreignFileOptionNames: ForeignNames = foreignNames(
  [
    ['filename file fileName dirname destination dest output filePath', "write path: 'app.log'"],
    ['maxSize maxLogSize size sizeLimit limit', 'write rotate: { size: 10_000_000 }, in bytes'],
    ['maxFiles backups numBackups count keep keepFiles', 'write rotate: { keep: 5 }'],
    ['zippedArchive compress gzip', "write rotate: { compress: 'gzip' }"],
    ['datePattern frequency period interval daily dateFormat', "write rotate: { interval: 'daily' }"],
    [
      'rotation rotating roll rolling rotationFormat tailable pattern',
      "write rotate: { size: 10_000_000, interval: 'daily', keep: 5 }",
    ],
    [
      'symlink createSymlink auditFile watchLog lazy append flags',
      'remove it: the file at path is the current one, and lines are appended',
    ],
    ['permissions fileMode permission', 'write mode: 0o600'],
    ['mkdirp createDir recursive createDirectory', 'write mkdir: true'],
    ['sync flush durable', "write fsync: 'batch'"],
    ['fd stream', 'use fdExporter({ fd: 1 })'],
    ['write', 'remove it: files are written at the end of the turn'],
    ['reopenSignal signal', "write reopenOn: 'SIGHUP'"],
  ],
  foreignLineOptionNames,
)

/** Names for `processExporter`. */
export const foreignProcessOptionNames: ForeignNames = foreignNames(
  [
    ['filename file fileName destination dest output', "write path: 'app.log'"],
    ['rotate maxSize maxFiles', 'use fileExporter({ path, rotate })'],
    ['worker workerFile script', 'write writerFile'],
    ['write sync', 'remove it: the other process writes'],
  ],
  foreignLineOptionNames,
)

/** Names for `consoleExporter`. */
export const foreignConsoleOptionNames: ForeignNames = foreignNames(
  [['fd path', 'use fdExporter or fileExporter from sluice/exporters']],
  foreignLineOptionNames,
)

/** Names for `memoryExporter`. */
export const foreignMemoryOptionNames: ForeignNames = foreignNames(
  [
    ['capacity limit max size maxSize', 'write maxRecords'],
    ['format layout', 'remove it: records are parsed objects'],
  ],
  foreignDeliveryOptionNames,
)

const tlsAnswer = "write tls: { caFile: '/etc/ssl/ca.pem' }"

/** Names for `otlpExporter`. */
export const foreignOtlpOptionNames: ForeignNames = foreignNames(
  [
    ['endpoint host hostname port path address collectorUrl collector', "write url: 'http://localhost:4318/v1/logs'"],
    ['timeout requestTimeout', 'write timeoutMillis'],
    ['httpAgentOptions agentFactory keepAlive proxy', 'write agent: new https.Agent({ … })'],
    ['metadata credentials insecure', 'remove it: OTLP is sent over HTTP; write headers and tls'],
    ['token apiKey authorization auth bearer', "write headers: { authorization: 'Bearer …' }"],
    ['ca caFile cert certFile certificate key keyFile rootCertificates ssl rejectUnauthorized', tlsAnswer],
    ['retries maxRetries maxAttempts retryConfig backoff', 'write retry: { maxElapsedMillis: 120_000 }'],
    ['gzip compress', "write compression: 'gzip'"],
    ['concurrencyLimit concurrency', 'remove it: one batch is sent at a time'],
    ['format layout encoding', "write protocol: 'http/protobuf' or 'http/json'"],
    ['maxBodyBytes maxPayloadBytes maxRequestSize', 'write maxRequestBytes'],
    ['serviceName service', "write resource: { 'service.name': 'shop' } in createLogger"],
    ['fd rotate', 'use fdExporter or fileExporter'],
    ['spool directory', 'use spool(otlpExporter(), { directory, maxBytes })'],
  ],
  foreignDeliveryOptionNames,
)

/** Names for `fetchExporter`. */
export const foreignFetchOptionNames: ForeignNames = foreignNames(
  [
    ['httpAgentOptions agent agentFactory proxy tls ca', "use otlpExporter of 'sluice/exporters'"],
    ['compression gzip compress', 'remove it: fetch sends uncompressed requests'],
    ['useBeacon sendBeacon beacon keepAlive', 'write keepalive: true'],
    ['fetchFn fetchImpl customFetch', 'write fetch'],
  ],
  foreignOtlpOptionNames,
)

/** Names for the option `retry`, for the function of this name, and for the option `restart` of `processExporter`. */
export const foreignRetryOptionNames: ForeignNames = foreignNames([
  [
    'maxRetries retries attempts maxAttempts count maxElapsed maxElapsedTime timeout',
    'write maxElapsedMillis: 120_000; retries are limited by time',
  ],
  ['initialDelay minTimeout initialBackoff initialInterval delay delayMillis minDelay', 'write initialDelayMillis'],
  ['maxDelay maxBackoff maxTimeout maxInterval', 'write maxDelayMillis'],
  ['factor multiplier backoffMultiplier exponent jitter randomize', 'remove it: the delay doubles, with random jitter'],
])

/** Names for the option `rotate`. */
export const foreignRotateOptionNames: ForeignNames = foreignNames([
  ['maxSize maxLogSize sizeLimit limit maxBytes', 'write size: 10_000_000, in bytes'],
  ['maxFiles backups numBackups count keepFiles retain', 'write keep: 5'],
  ['frequency period datePattern schedule every time', "write interval: 'daily'"],
  ['gzip zippedArchive compression zip', "write compress: 'gzip'"],
  ['path filename file name dateFormat pattern', 'remove it: rotated files have the name of the file with a time'],
])

/** Names for `spool`. */
export const foreignSpoolOptionNames: ForeignNames = foreignNames([
  ['path dir folder dirname', "write directory: '/var/spool/app'"],
  ['maxSize maxFileSize limit size', 'write maxBytes: 100_000_000'],
  ['maxAge ttl maxAgeMs retention', 'write maxAgeMillis'],
  ['sync', "write fsync: 'batch'"],
  ['retry', 'set retry on the exporter: spool(otlpExporter({ retry }), { … })'],
])

/** Names for a custom layout. */
export const foreignLayoutOptionNames: ForeignNames = foreignNames([
  ['messageKey messageField message msg', "write keys: { message: 'msg' }"],
  ['levelKey levelField', "write keys: { level: 'severity' }"],
  ['timeKey timestampKey timestamp timestampField', "write keys: { timestamp: 'time' }"],
  ['timeFormat dateFormat', "write time: 'epochMillis'"],
  ['nestedKey attributesKey', "write keys: { attributes: 'data' }"],
  ['name extends type layout', "write base: 'sluice'"],
  ['levelFormat numericLevel levelForm', "write level: 'NAME' or 'severityNumber'"],
  ['flat flatten', "write attributes: 'flat'"],
  ['extra fields static labels tags', "write constants: { region: 'eu' }"],
  ['projectId gcpProject', 'write project'],
])

/** Names for `fromLogRecordExporter`. */
export const foreignSdkExporterOptionNames: ForeignNames = foreignNames(
  [
    ['url endpoint headers protocol compression timeoutMillis timeout', 'set it on the exporter that you pass'],
    ['retries maxRetries maxAttempts', 'write retry: { maxElapsedMillis: 120_000 }'],
  ],
  foreignDeliveryOptionNames,
)
