import { foreignNames, type ForeignNames } from './foreign-names.ts'

/** Words that users bring for the option `format` of exporters that write lines. */
export const foreignFormatWords: ForeignNames = foreignNames([
  ['text plain human console dev simple cli color colored prettyprint', 'pretty'],
  ['ndjson jsonl jsonlines structured bunyan machine default', 'json'],
  ['otlp opentelemetry otlp/json', 'otlpJson'],
  ['ecs elastic', "write layout: 'ecs'"],
  ['gcp google stackdriver', "write layout: 'gcp'"],
  ['datadog', "write layout: 'datadog'"],
  ['pino', "write layout: 'pino'"],
  ['otel', "write format: 'otlpJson', or layout: 'otel'"],
  ['logfmt', "logfmt is not supported; write format: 'json' or 'pretty'"],
])

/** Words that users bring for the name of a layout. */
export const foreignLayoutWords: ForeignNames = foreignNames([
  ['elastic elasticsearch elk logstash kibana ecsJson opensearch', 'ecs'],
  ['google googleCloud stackdriver cloudLogging gke cloudRun googleCloudLogging', 'gcp'],
  ['opentelemetry otlp', 'otel'],
  ['dd', 'datadog'],
  ['default json standard', 'sluice'],
  ['bunyan winston', "write layout: 'pino', or import the API of that library from this package"],
  ['pretty text human', "write format: 'pretty'"],
])

/** Words that users bring for the option `protocol` of exporters that send OTLP. */
export const foreignProtocolWords: ForeignNames = foreignNames([
  ['grpc', "OTLP over gRPC needs fromLogRecordExporter(new OTLPLogExporter()) of 'sluice/otel'"],
  ['http https protobuf proto http/proto binary', 'http/protobuf'],
  ['json', 'http/json'],
])

/** Words that users bring for the option `compression`. */
export const foreignCompressionWords: ForeignNames = foreignNames([
  ['gz zip deflate br brotli zstd snappy', 'gzip'],
  ['off no false identity', 'none'],
])

/** Words that users bring for the option `onFull`. */
export const foreignOnFullWords: ForeignNames = foreignNames([
  ['drop discard lossy dropLow', 'dropLowest'],
  ['wait pause backpressure blocking', 'block'],
  ['dropNew reject', 'dropNewest'],
  ['dropOld ring overwrite evict', 'dropOldest'],
])

/** Words that users bring for the option `write`. */
export const foreignWriteWords: ForeignNames = foreignNames([
  ['async deferred macro-task nexttick', 'turn'],
  ['immediate synchronous now', 'sync'],
])

/** Words that users bring for the option `profile`. */
export const foreignProfileWords: ForeignNames = foreignNames([
  ['production prod server web node development dev default container', 'service'],
  ['aws serverless awsLambda function', 'lambda'],
  ['tool terminal script command', 'cli'],
])

/** Words that users bring for the option `fsync`. */
export const foreignFsyncWords: ForeignNames = foreignNames([
  ['always every-write write true', 'batch'],
  ['off none no false', 'never'],
  ['exit close end', 'shutdown'],
])

/** Words that users bring for `rotate.interval`. */
export const foreignIntervalWords: ForeignNames = foreignNames([
  ['day 1d 24h midnight everyday', 'daily'],
  ['hour 1h 60m everyhour', 'hourly'],
  ['week weekly 1w 7d', 'write a number of ms: 604_800_000'],
])

/** Names that users bring for the presets of `redact.patterns`. */
export const foreignPatternWords: ForeignNames = foreignNames([
  ['creditCard creditCards cardNumber pan', 'card'],
  ['ip ipv4 ipv6', 'ipAddress'],
  ['mail emailaddress', 'email'],
  ['phoneNumber telephone mobile', 'phone'],
  ['password passwords secret secrets token tokens bearer apiKey', 'credentials'],
  ['aws awssecret', 'awsKey'],
  ['github', 'githubToken'],
  ['slack', 'slackToken'],
  ['stripe', 'stripeKey'],
  ['google', 'googleApiKey'],
  ['pem rsa', 'privateKey'],
  ['socialsecuritynumber', 'ssn'],
  ['databaseUrl dsn uri', 'connectionString'],
])
