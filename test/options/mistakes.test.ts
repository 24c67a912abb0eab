import { describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { codeOf, tableUnder } from '../docs/blocks.ts'
import { fetchExporter } from '../../src/exporters/fetch/fetch-exporter.ts'
import { captureConsole } from '../../src/create/capture-console.ts'
import { captureLogs } from '../../src/create/capture-logs.ts'
import { childProcessLogger } from '../../src/create/child-process-logger.ts'
import { createLogger } from '../../src/create/create-logger.ts'
import { withFlush } from '../../src/create/with-flush.ts'
import { consoleExporter } from '../../src/exporters/console/console-exporter.ts'
import { fdExporter } from '../../src/exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../src/exporters/file/file-exporter.ts'
import { memoryExporter } from '../../src/exporters/memory/memory-exporter.ts'
import { otlpExporter } from '../../src/exporters/otlp/otlp-exporter.ts'
import { processExporter } from '../../src/exporters/process/process-exporter.ts'
import { retry } from '../../src/exporters/retry/retry.ts'
import { spool } from '../../src/exporters/spool/spool.ts'
import { requestLog } from '../../src/http/adapters/node.ts'
import { defineEvent } from '../../src/logger/events.ts'
import { ConfigurationError } from '../../src/options/configuration-error.ts'
import { createLoggerProvider } from '../../src/otel/provider/provider.ts'
import { fromLogRecordExporter } from '../../src/otel/sdk/foreign-exporter.ts'
import { PipelineLogRecordProcessor } from '../../src/otel/sdk/processor.ts'
import { withContext } from '../../src/platform/node/with-context.ts'
import { jsonLines } from '../../src/encode/json/json-lines.ts'

/** The functions of this package as JavaScript sees them. */
type Untyped = (...args: unknown[]) => unknown
const untyped = <T extends Record<string, unknown>>(functions: T) => functions as Record<keyof T, Untyped>
const sluice = untyped({
  captureConsole,
  captureLogs,
  childProcessLogger,
  consoleExporter,
  createLogger,
  createLoggerProvider,
  defineEvent,
  fdExporter,
  fetchExporter,
  fileExporter,
  fromLogRecordExporter,
  jsonLines,
  memoryExporter,
  otlpExporter,
  processExporter,
  requestLog,
  retry,
  spool,
  withContext,
  withFlush,
})
const logger = createLogger({ level: 'silent' })
const child = logger.child.bind(logger) as Untyped

function problemsOf(mistake: () => unknown): ConfigurationError['problems'] {
  try {
    mistake()
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
  }
  return []
}

/** Returns the message of an error, without `SLUICE_CONFIG: ` and the codes of its problems. */
function messageOf(mistake: () => unknown): string {
  try {
    mistake()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.message.replace(/^SLUICE_CONFIG: /, '').replaceAll(/ \(SLUICE_[A-Z_]+\)/g, '')
  }
  return 'no error'
}

// Each row is what a user writes, and the message, which contains what to write instead.
const mistakes: Readonly<Record<string, readonly [mistake: () => unknown, message: string]>> = {
  "createLogger({ transport: { target: 'pino-pretty' } })": [
    () => sluice.createLogger({ transport: { target: 'pino-pretty' } }),
    'createLogger: transport: unknown option; write exporter: fdExporter(), or an array of exporters',
  ],
  "createLogger({ msgPrefix: '[app] ' })": [
    () => sluice.createLogger({ msgPrefix: '[app] ' }),
    'createLogger: msgPrefix: unknown option; write messagePrefix',
  ],
  'createLogger({ mixin: () => ({ a: 1 }) })': [
    () => sluice.createLogger({ mixin: () => ({ a: 1 }) }),
    'createLogger: mixin: unknown option; write enrich: () => ({ … }), a function that returns attributes',
  ],
  "createLogger({ base: { region: 'eu' } })": [
    () => sluice.createLogger({ base: { region: 'eu' } }),
    'createLogger: base: unknown option; write attributes: { … }',
  ],
  'createLogger({ customLevels: { notice: 35 } })': [
    () => sluice.createLogger({ customLevels: { notice: 35 } }),
    'createLogger: customLevels: unknown option; write levels: { notice: 10 }, with OpenTelemetry severity numbers from 1 to 24',
  ],
  'createLogger({ formatters: {}, timestamp: false })': [
    () => sluice.createLogger({ formatters: {}, timestamp: false }),
    "createLogger: formatters: unknown option; write handler to change records, or exporter: fdExporter({ layout }) to change fields; timestamp: unknown option; write exporter: fdExporter({ layout: { time: 'epochMillis' } })",
  ],
  'createLogger({ prettyPrint: true })': [
    () => sluice.createLogger({ prettyPrint: true }),
    "createLogger: prettyPrint: unknown option; write exporter: fdExporter({ format: 'pretty' })",
  ],
  'createLogger({ defaultMeta: {}, transports: [], exitOnError: false })': [
    () => sluice.createLogger({ defaultMeta: {}, transports: [], exitOnError: false }),
    "createLogger: defaultMeta: unknown option; write attributes: { … }; transports: unknown option; write exporter: fdExporter(), or an array of exporters; exitOnError: unknown option; remove it, and log in process.on('uncaughtExceptionMonitor', …)",
  ],
  'createLogger({ streams: [], src: true })': [
    () => sluice.createLogger({ streams: [], src: true }),
    'createLogger: streams: unknown option; write exporter: fdExporter({ fd: 1 }) or fileExporter({ path }); src: unknown option; remove it: records have no call site; exceptions have their stack',
  ],
  "createLogger({ sinks: {}, lowestLevel: 'info', category: 'app' })": [
    () => sluice.createLogger({ sinks: {}, lowestLevel: 'info', category: 'app' }),
    'createLogger: sinks: unknown option; write exporter: fdExporter(), or an array of exporters; lowestLevel: unknown option; write level; category: unknown option; write name',
  ],
  "createLogger({ type: 'json', minLevel: 3, attachedTransports: [] })": [
    () => sluice.createLogger({ type: 'json', minLevel: 3, attachedTransports: [] }),
    "createLogger: type: unknown option; write exporter: fdExporter({ format: 'pretty' }), or 'json'; minLevel: unknown option; write level; attachedTransports: unknown option; write exporter: fdExporter(), or an array of exporters",
  ],
  'createLogger({ appenders: {}, categories: {} })': [
    () => sluice.createLogger({ appenders: {}, categories: {} }),
    'createLogger: appenders: unknown option; write exporter: fdExporter(), or an array of exporters; categories: unknown option; write name',
  ],
  "createLogger({ layout: 'ecs' })": [
    () => sluice.createLogger({ layout: 'ecs' }),
    "createLogger: layout: unknown option; write exporter: fdExporter({ layout: 'ecs' })",
  ],
  "createLogger({ Level: 'info', message_prefix: 'x' })": [
    () => sluice.createLogger({ Level: 'info', message_prefix: 'x' }),
    'createLogger: Level: unknown option; did you mean "level"?; message_prefix: unknown option; did you mean "messagePrefix"?',
  ],
  'createLogger({ gadget: 1 })': [
    () => sluice.createLogger({ gadget: 1 }),
    'createLogger: gadget: unknown option; valid options are name, version, level, levels, types, attributes, enrich, handler, messagePrefix, serializers, redact, limits, resource, …',
  ],
  'createLogger({ gadget: 1, widget: 2, exitTimeoutMilli: 500 })': [
    () => sluice.createLogger({ gadget: 1, widget: 2, exitTimeoutMilli: 500 }),
    'createLogger: gadget: unknown option; remove it; widget: unknown option; remove it; exitTimeoutMilli: unknown option; did you mean "exitTimeoutMillis"?',
  ],
  "createLogger({ level: 'INFO' })": [
    () => sluice.createLogger({ level: 'INFO' }),
    'createLogger: level: unknown level "INFO"; did you mean "info"?',
  ],
  "createLogger({ level: 'warning' })": [
    () => sluice.createLogger({ level: 'warning' }),
    'createLogger: level: unknown level "warning"; did you mean "warn"?',
  ],
  'createLogger({ level: 30 })': [
    () => sluice.createLogger({ level: 30 }),
    "createLogger: level: must be the name of a level, not a number; write 'info'",
  ],
  'createLogger({ levels: { notice: 35 } })': [
    () => sluice.createLogger({ levels: { notice: 35 } }),
    'createLogger: levels.notice: must be an integer from 1 to 24, not 35; in OpenTelemetry, info is 9 and warn is 13',
  ],
  "createLogger({ profile: 'production' })": [
    () => sluice.createLogger({ profile: 'production' }),
    'createLogger: profile: must be one of service, lambda, cli; did you mean "service"?',
  ],
  'createLogger({ exporter: fdExporter })': [
    () => sluice.createLogger({ exporter: fdExporter }),
    'createLogger: exporter: must be an exporter, such as fdExporter() or fileExporter({ path }) from sluice/exporters, not a function; call it, as in fdExporter()',
  ],
  'createLogger({ exporter: process.stdout })': [
    () => sluice.createLogger({ exporter: process.stdout }),
    'createLogger: exporter: must be an exporter, not a stream; write fdExporter({ fd: 1 })',
  ],
  'createLogger({ exporter: { export() {}, shutdown() {} } })': [
    () => sluice.createLogger({ exporter: { export() {}, shutdown() {} } }),
    "createLogger: exporter: must be an exporter of this package; write fromLogRecordExporter(exporter) of 'sluice/otel' for one of an OpenTelemetry SDK",
  ],
  "createLogger({ enrich: { region: 'eu' } })": [
    () => sluice.createLogger({ enrich: { region: 'eu' } }),
    'createLogger: enrich: must be a function, such as () => ({ requestId }), not an object',
  ],
  "createLogger({ serializers: [], resource: 'shop' })": [
    () => sluice.createLogger({ serializers: [], resource: 'shop' }),
    "createLogger: serializers: must be an object, such as { err: (error) => … }, not an array; resource: must be an object, such as { 'service.name': 'shop' }, not a string",
  ],
  "createLogger({ exitTimeoutMillis: '5s' })": [
    () => sluice.createLogger({ exitTimeoutMillis: '5s' }),
    'createLogger: exitTimeoutMillis: must be an integer of 0 or more, or Infinity, not a string; write 5000',
  ],
  "createLogger('app')": [
    () => sluice.createLogger('app'),
    "createLogger: must be an object with options, not a string; write createLogger({ name: 'app' })",
  ],
  'createLogger(fdExporter())': [
    () => sluice.createLogger(fdExporter()),
    'createLogger: must be an object with options, not an exporter; write createLogger({ exporter })',
  ],
  'createLogger({ limits: { maxDepth: 5, maxStringLength: 100 } })': [
    () => sluice.createLogger({ limits: { maxDepth: 5, maxStringLength: 100 } }),
    'createLogger: limits.maxDepth: unknown option; write depth; limits.maxStringLength: unknown option; write stringLength',
  ],
  "createLogger({ redact: 'password' })": [
    () => sluice.createLogger({ redact: 'password' }),
    "createLogger: redact: must be an array of paths, or an object with paths, keys, patterns, censor, remove and credentialHeaders; write ['password']",
  ],
  "createLogger({ redact: ['$.user.password', '$..token', '/user/password'] })": [
    () => sluice.createLogger({ redact: ['$.user.password', '$..token', '/user/password'] }),
    'createLogger: redact[0] at 0: a path has no root $, as JSONPath does; write user.password, or ["$"].user.password for a member named $; redact[1] at 0: a path has no root $, as JSONPath does; write **.token, or ["$"].**.token for a member named $; redact[2] at 0: a path is not a JSON Pointer; write user.password',
  ],
  "createLogger({ redact: ['.password', 'users[].email', 'card..number', 'user?.name'] })": [
    () => sluice.createLogger({ redact: ['.password', 'users[].email', 'card..number', 'user?.name'] }),
    'createLogger: redact[0] at 0: a path begins with a name; write password; redact[1] at 6: a bracket must contain a quoted name, an array index or *, such as ["name"]; write users[*].email; redact[2] at 5: a name is missing between two dots; write card.**.number; redact[3] at 4: unexpected "?"; write user.name',
  ],
  "createLogger({ redact: ['password*', 'user/password', 'password,token', '/pass/i'] })": [
    () => sluice.createLogger({ redact: ['password*', 'user/password', 'password,token', '/pass/i'] }),
    `createLogger: redact[0] at 8: * matches a whole name, not a part of one; write keys: [/^password/]; redact[1] at 4: unexpected "/"; write user.password, or ["user/password"] for that name; redact[2] at 8: unexpected ","; write one entry for each path: 'password', 'token'; redact[3] at 0: a path is not a regular expression; write keys: [/pass/i]`,
  ],
  "createLogger({ redact: [['user', 'password'], /password/] })": [
    () => sluice.createLogger({ redact: [['user', 'password'], /password/] }),
    "createLogger: redact[0]: must be a string, not an array; write 'user.password'; redact[1]: must be a string; use keys for regular expressions",
  ],
  "createLogger({ redact: { fields: ['password'], mask: '***' } })": [
    () => sluice.createLogger({ redact: { fields: ['password'], mask: '***' } }),
    "createLogger: redact.fields: unknown option; write paths: ['user.password']; redact.mask: unknown option; write censor: '[REDACTED]'",
  ],
  "createLogger({ redact: { keys: 'password' } })": [
    () => sluice.createLogger({ redact: { keys: 'password' } }),
    "createLogger: redact.keys: must be 'secrets', or an array of names, regular expressions and { preset: 'secrets' }; write ['password']",
  ],
  "createLogger({ redact: { keys: ['*_token', '/password/i', '$.a', '**.b'] } })": [
    () => sluice.createLogger({ redact: { keys: ['*_token', '/password/i', '$.a', '**.b'] } }),
    `createLogger: redact.keys[0]: a key is a whole name, and * is not a wildcard; write /_token$/i; redact.keys[1]: a key is a name, not a regular expression in quotes or a path; write /password/i; redact.keys[2]: a key is a name, not a path; write paths: ['a']; redact.keys[3]: a key is a whole name, and * is not a wildcard; write paths: ['**.b']`,
  ],
  "createLogger({ redact: { patterns: ['creditCard', '/[0-9]{16}/', 'emails'] } })": [
    () => sluice.createLogger({ redact: { patterns: ['creditCard', '/[0-9]{16}/', 'emails'] } }),
    'createLogger: redact.patterns[0]: unknown pattern "creditCard"; did you mean "card"?; redact.patterns[1]: must be a regular expression without quotes, such as /ORD-\\d{6}/; redact.patterns[2]: unknown pattern "emails"; did you mean "email"?',
  ],
  "createLogger({ redact: { patterns: 'email' } })": [
    () => sluice.createLogger({ redact: { patterns: 'email' } }),
    "createLogger: redact.patterns: must be an array of regular expressions and names of presets; write ['email']",
  ],
  "child({}, { msgPrefix: '[app] ', exporter: fdExporter() })": [
    () => child({}, { msgPrefix: '[app] ', exporter: fdExporter() }),
    'child: msgPrefix: unknown option; write messagePrefix; exporter: unknown option; set it in createLogger',
  ],
  "child({}, 'debug')": [
    () => child({}, 'debug'),
    "child: must be an object with options, not a string; write child({ … }, { level: 'debug' })",
  ],
  "logger.level = 'Warning'": [
    () => ((logger as { level: string }).level = 'Warning'),
    'logger: level: unknown level "Warning"; did you mean "warn"?',
  ],
  'withContext(() => {})': [
    () => sluice.withContext(() => {}),
    'withContext: attributes: must be an object, not a function; write withContext({ requestId }, fn)',
  ],
  "defineEvent({ name: 'order.placed' })": [
    () => sluice.defineEvent({ name: 'order.placed' }),
    "defineEvent: name: must be a string, not an object; write defineEvent('order.placed')",
  ],
  "defineEvent('order.placed', { severity: 'warn', template: 'x' })": [
    () => sluice.defineEvent('order.placed', { severity: 'warn', template: 'x' }),
    "defineEvent: severity: unknown option; write level: 'warn'; template: unknown option; write message",
  ],
  "fdExporter({ format: 'Pretty', layout: 'elastic' })": [
    () => sluice.fdExporter({ format: 'Pretty', layout: 'elastic' }),
    'fdExporter.format: must be one of auto, json, pretty, otlpJson; did you mean "pretty"?; fdExporter.layout: unknown layout "elastic"; did you mean "ecs"?',
  ],
  "fdExporter({ format: 'text', colorize: true })": [
    () => sluice.fdExporter({ format: 'text', colorize: true }),
    `fdExporter.format: must be one of auto, json, pretty, otlpJson; did you mean "pretty"?; fdExporter.colorize: unknown option; write format: 'pretty', pretty: { colors: true }`,
  ],
  "fdExporter({ path: 'app.log' })": [
    () => sluice.fdExporter({ path: 'app.log' }),
    "fdExporter.path: unknown option; use fileExporter({ path: 'app.log' })",
  ],
  "fdExporter({ onFull: 'drop', write: 'async' })": [
    () => sluice.fdExporter({ onFull: 'drop', write: 'async' }),
    'fdExporter.onFull: must be one of dropLowest, dropNewest, dropOldest, block; did you mean "dropLowest"?; fdExporter.write: must be one of turn, microtask, sync; did you mean "turn"?',
  ],
  'fdExporter({ bufferSize: 4096, flushInterval: 100 })': [
    () => sluice.fdExporter({ bufferSize: 4096, flushInterval: 100 }),
    'fdExporter.bufferSize: unknown option; write maxQueueBytes; fdExporter.flushInterval: unknown option; write scheduledDelayMillis',
  ],
  'fdExporter(2)': [
    () => sluice.fdExporter(2),
    'fdExporter: must be an object with options, not a number; write fdExporter({ fd: 2 })',
  ],
  "fileExporter({ filename: 'app.log', maxSize: '10m', maxFiles: 5 })": [
    () => sluice.fileExporter({ filename: 'app.log', maxSize: '10m', maxFiles: 5 }),
    "fileExporter.filename: unknown option; write path: 'app.log'; fileExporter.maxSize: unknown option; write rotate: { size: 10_000_000 }, in bytes; fileExporter.maxFiles: unknown option; write rotate: { keep: 5 }",
  ],
  'fileExporter({})': [() => sluice.fileExporter({}), "fileExporter.path: is required; write path: 'app.log'"],
  "fileExporter('app.log')": [
    () => sluice.fileExporter('app.log'),
    "fileExporter: must be an object with options, not a string; write fileExporter({ path: 'app.log' })",
  ],
  "fileExporter({ path: 'app.log', rotate: { size: '10m', interval: 'day' } })": [
    () => sluice.fileExporter({ path: 'app.log', rotate: { size: '10m', interval: 'day' } }),
    'fileExporter.rotate.size: must be an integer of 1000000 or more, or Infinity, not a string; write 10000000; fileExporter.rotate.interval: must be one of hourly, daily; did you mean "daily"?',
  ],
  "fileExporter({ path: 'app.log', rotate: 'daily' })": [
    () => sluice.fileExporter({ path: 'app.log', rotate: 'daily' }),
    "fileExporter.rotate: must be an object with options, not a string; write rotate: { interval: 'daily' }",
  ],
  "processExporter({ filename: 'app.log' })": [
    () => sluice.processExporter({ filename: 'app.log' }),
    "processExporter.filename: unknown option; write path: 'app.log'",
  ],
  "consoleExporter({ format: 'pretty', layout: 'google' })": [
    () => sluice.consoleExporter({ format: 'pretty', layout: 'google' }),
    'consoleExporter.format: must be one of json, object; did you mean "object"?; consoleExporter.layout: unknown layout "google"; did you mean "gcp"?',
  ],
  'memoryExporter(100)': [
    () => sluice.memoryExporter(100),
    'memoryExporter: must be an object with options, not a number; write memoryExporter({ maxRecords: 100 })',
  ],
  "otlpExporter({ endpoint: 'http://localhost:4318', protocol: 'grpc' })": [
    () => sluice.otlpExporter({ endpoint: 'http://localhost:4318', protocol: 'grpc' }),
    "otlpExporter.endpoint: unknown option; write url: 'http://localhost:4318/v1/logs'; otlpExporter.protocol: must be one of http/protobuf, http/json; OTLP over gRPC needs fromLogRecordExporter(new OTLPLogExporter()) of 'sluice/otel'",
  ],
  "otlpExporter({ url: 'localhost:4318' })": [
    () => sluice.otlpExporter({ url: 'localhost:4318' }),
    'otlpExporter.url: must begin with http:// or https://, such as http://localhost:4318/v1/logs',
  ],
  "otlpExporter({ timeout: '5s', compression: 'deflate', apiKey: 'x' })": [
    () => sluice.otlpExporter({ timeout: '5s', compression: 'deflate', apiKey: 'x' }),
    `otlpExporter.timeout: unknown option; write timeoutMillis; otlpExporter.compression: must be one of gzip, none; did you mean "gzip"?; otlpExporter.apiKey: unknown option; write headers: { authorization: 'Bearer …' }`,
  ],
  "otlpExporter('http://localhost:4318')": [
    () => sluice.otlpExporter('http://localhost:4318'),
    "otlpExporter: must be an object with options, not a string; write otlpExporter({ url: 'http://localhost:4318/v1/logs' })",
  ],
  "fetchExporter({ endpoint: '/v1/logs', protocol: 'grpc' })": [
    () => sluice.fetchExporter({ endpoint: '/v1/logs', protocol: 'grpc' }),
    "fetchExporter.endpoint: unknown option; write url: 'http://localhost:4318/v1/logs'; fetchExporter.protocol: must be one of http/protobuf, http/json; fetch cannot send gRPC; write 'http/json'",
  ],
  "spool(otlpExporter(), { dir: '/var/spool/app', maxSize: '1g' })": [
    () => sluice.spool(otlpExporter(), { dir: '/var/spool/app', maxSize: '1g' }),
    "spool.dir: unknown option; write directory: '/var/spool/app'; spool.maxSize: unknown option; write maxBytes: 100_000_000",
  ],
  'retry(otlpExporter(), { maxRetries: 3 })': [
    () => sluice.retry(otlpExporter(), { maxRetries: 3 }),
    'retry.maxRetries: unknown option; write maxElapsedMillis: 120_000; retries are limited by time',
  ],
  "fromLogRecordExporter({ export() {}, shutdown() {} }, { url: 'http://localhost:4318' })": [
    () => sluice.fromLogRecordExporter({ export() {}, shutdown() {} }, { url: 'http://localhost:4318' }),
    'fromLogRecordExporter.url: unknown option; set it on the exporter that you pass',
  ],
  "jsonLines({ messageKey: 'msg', timeFormat: 'epoch' })": [
    () => sluice.jsonLines({ messageKey: 'msg', timeFormat: 'epoch' }),
    "jsonLines: layout.messageKey: unknown option; write keys: { message: 'msg' }; layout.timeFormat: unknown option; write time: 'epochMillis'",
  ],
  "requestLog({ logger, ignore: '/health' })": [
    () => sluice.requestLog({ logger, ignore: '/health' as never }),
    'requestLog: ignore: must be an array, not a string; write ["/health"]',
  ],
  'requestLog({ logger: console })': [
    () => sluice.requestLog({ logger: console as never }),
    "requestLog: logger: must be `logger` of 'sluice', a logger that createLogger returned, or its child",
  ],
  'requestLog()': [
    () => sluice.requestLog(undefined),
    "requestLog: logger: must be `logger` of 'sluice', a logger that createLogger returned, or its child",
  ],
  'requestLog(logger)': [
    () => sluice.requestLog(logger),
    'requestLog: must be an object with options, not a logger; write requestLog({ logger })',
  ],
  "requestLog({ logger, genReqId: () => 'a', autoLogging: false, customLogLevel: () => 'info' })": [
    () => sluice.requestLog({ logger, genReqId: () => 'a', autoLogging: false, customLogLevel: () => 'info' }),
    "requestLog: genReqId: unknown option; write generateRequestId; autoLogging: unknown option; write ignore: ['/health'] or a function; customLogLevel: unknown option; write level: (exchange) => …",
  ],
  "requestLog({ logger, skip: () => true, level: 'debug' })": [
    () => sluice.requestLog({ logger, skip: () => true, level: 'debug' }),
    "requestLog: skip: unknown option; write ignore: ['/health'] or a function; level: must be a function, such as () => 'info', not a string",
  ],
  'captureConsole(logger)': [
    () => sluice.captureConsole(logger),
    'captureConsole: must be an object with options, not a logger; write captureConsole({ logger })',
  ],
  "createLogger({ levels: 'notice' })": [
    () => sluice.createLogger({ levels: 'notice' }),
    'createLogger: levels: must be an object, such as { notice: 10 }, not a string',
  ],
  "createLogger({ levels: ['notice'] })": [
    () => sluice.createLogger({ levels: ['notice'] }),
    'createLogger: levels: must be an object, such as { notice: 10 }, not an array',
  ],
  "captureConsole({ filename: 'console.log', flushInterval: 10 })": [
    () => sluice.captureConsole({ filename: 'console.log', flushInterval: 10 }),
    "captureConsole: filename: unknown option; write path: 'console.log'; flushInterval: unknown option; write scheduledDelayMillis",
  ],
  "captureConsole({ logger, levels: { log: 'INFO' } })": [
    () => sluice.captureConsole({ logger, levels: { log: 'INFO' } }),
    'captureConsole: levels.log: the logger has no level "INFO"; did you mean "info"?',
  ],
  "captureConsole({ logger, mode: 'records', levels: { log: 'off', warn: 'warning' } })": [
    () => sluice.captureConsole({ logger, mode: 'records', levels: { log: 'off', warn: 'warning' } }),
    'captureConsole: levels.log: the logger has no level "off"; did you mean "silent"?; levels.warn: the logger has no level "warning"; did you mean "warn"?',
  ],
  "captureConsole({ logger, mode: 'records', levels: { log: 'flush' } })": [
    () => sluice.captureConsole({ logger, mode: 'records', levels: { log: 'flush' } }),
    'captureConsole: levels.log: the logger has no level "flush"; use one of its levels, or silent',
  ],
  'captureLogs(logger)': [
    () => sluice.captureLogs(logger),
    'captureLogs: must be an object with options, not a logger; write captureLogs({ from: logger })',
  ],
  "captureLogs({ levl: 'info', exporter: fdExporter(), level: 'warning' })": [
    () => sluice.captureLogs({ levl: 'info', exporter: fdExporter(), level: 'warning' }),
    'captureLogs: exporter: is set by captureLogs; remove it; levl: unknown option; did you mean "level"?; level: unknown level "warning"; did you mean "warn"?',
  ],
  'createLoggerProvider(fdExporter())': [
    () => sluice.createLoggerProvider(fdExporter()),
    'createLoggerProvider: must be an object with options, not an exporter; write createLoggerProvider({ exporter })',
  ],
  'createLoggerProvider({ exporters: [], logRecordProcessors: [], logRecordLimits: {} })': [
    () => sluice.createLoggerProvider({ exporters: [], logRecordProcessors: [], logRecordLimits: {} }),
    'createLoggerProvider: exporters: unknown option; write exporter: otlpExporter(), or an array of exporters; logRecordProcessors: unknown option; write processors; logRecordLimits: unknown option; write limits: { attributes: 128, stringLength: 1_000 }',
  ],
  "createLoggerProvider({ defaultLogger: { level: 'warn' } })": [
    () => sluice.createLoggerProvider({ defaultLogger: { level: 'warn' } }),
    "createLoggerProvider: defaultLogger.level: unknown option; write minimumSeverity: 'warn'",
  ],
  'new PipelineLogRecordProcessor(otlpExporter())': [
    () => new PipelineLogRecordProcessor(otlpExporter() as never),
    'PipelineLogRecordProcessor: must be an object with options, not an exporter; write new PipelineLogRecordProcessor({ exporter })',
  ],
  'withFlush(() => {}, { timeout: 500, logger })': [
    () => sluice.withFlush(() => {}, { timeout: 500, logger }),
    'withFlush.timeout: unknown option; write timeoutMillis; withFlush.logger: unknown option; write loggers: [logger]',
  ],
  "childProcessLogger({ filename: 'app.log' }, { msgPrefix: '[app] ' })": [
    () => sluice.childProcessLogger({ filename: 'app.log' }, { msgPrefix: '[app] ' }),
    "childProcessLogger: filename: unknown option; write path: 'app.log'; msgPrefix: unknown option; write messagePrefix",
  ],
}

describe('the message about a mistake contains what to write instead', () => {
  test.each(Object.entries(mistakes))('the message about %s', (_, [mistake, message]) => {
    expect(messageOf(mistake)).toBe(message)
  })
})

test('the error reference contains the messages of common mistakes', () => {
  const page = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
  const rows = tableUnder('Common mistakes', page).map((cells) => cells.map(codeOf))
  expect(rows.length).toBeGreaterThan(10)
  expect(rows).toEqual(rows.map(([code]) => [code, mistakes[code!]?.[1]]))
})

test('no message about a single problem is longer than 200 characters', () => {
  const messages = Object.values(mistakes).flatMap(([mistake]) =>
    problemsOf(mistake).map(({ path, message }) => path + message),
  )
  expect(messages.filter((message) => message.length > 200)).toEqual([])
})

const wrong = (options: object) => messageOf(() => sluice.createLogger(options))

test('an error lists the valid options only if exactly one option is unknown', () => {
  expect(wrong({ gadget: 1 }).match(/valid options are/g)).toHaveLength(1)
  expect(wrong({ gadget: 1, widget: 2 })).not.toContain('valid options are')
  expect(wrong({ gadget: 1, limits: { widget: 2 } })).not.toContain('valid options are')
  expect(wrong({ gadget: 1, levle: 2 })).not.toContain('valid options are')
})
