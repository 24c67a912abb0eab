import { attributesFirst } from './attributes-first.ts'
import { baggage } from './baggage.ts'
import { channel } from './channel.ts'
import { parts } from './parts.ts'
import { child } from './child.ts'
import { childOfChild } from './child-of-child.ts'
import { consoleLines } from './console.ts'
import { count } from './count.ts'
import { deep } from './deep.ts'
import { disabled } from './disabled.ts'
import { encodings } from './encodings.ts'
import { error } from './error.ts'
import { firstLine } from './first-line.ts'
import {
  boleCompat,
  bunyanCompat,
  bunyanCompatChild,
  pinoCompat,
  pinoCompatChild,
  winston,
  winstonTransport,
  writerProcess,
} from './compat.ts'
import { growthAttributes } from './growth-attributes.ts'
import { growthLoggers } from './growth-loggers.ts'
import { growthMessage } from './growth-message.ts'
import { growthPatterns } from './growth-patterns.ts'
import { growthRecords } from './growth-records.ts'
import { httpChild } from './http-child.ts'
import { httpCsv } from './http-csv.ts'
import { httpExpress } from './http-express.ts'
import { httpFastify } from './http-fastify.ts'
import { httpRequestLog } from './http-request-log.ts'
import { huge } from './huge.ts'
import { lambda } from './lambda.ts'
import { layouts } from './layouts.ts'
import { longString } from './long-string.ts'
import { memory } from './memory.ts'
import { object } from './object.ts'
import { objectTurns } from './object-turns.ts'
import { otlp, otlpEncoding, otlpMessages } from './otlp.ts'
import { paced } from './paced.ts'
import { patterns } from './patterns.ts'
import { pretty } from './pretty.ts'
import { printf } from './printf.ts'
import { programObject } from './program-object.ts'
import { programString } from './program-string.ts'
import { provider } from './provider.ts'
import { readFollow, readLevel, readPretty, readSort, readTrace } from './read.ts'
import { recorder } from './recorder.ts'
import { redact } from './redact.ts'
import { redactKeys } from './redact-keys.ts'
import { requestChild, requestContext } from './requests.ts'
import type { Scenario } from './scenario.ts'
import { firstRecords, serviceMix } from './service-mix.ts'
import { span } from './span.ts'
import { start } from './start.ts'
import { string } from './string.ts'
import { types } from './types.ts'
import { viewerFilter, viewerIngest } from './viewer.ts'
import { viewerPage } from './viewer-page.ts'
import { volume } from './volume.ts'

/** The scenarios in the order in which they run. */
export const scenarios = {
  string,
  object,
  'object-turns': objectTurns,
  'attributes-first': attributesFirst,
  'service-mix': serviceMix,
  'first-records': firstRecords,
  child,
  'child-of-child': childOfChild,
  'request-child': requestChild,
  'request-context': requestContext,
  deep,
  'long-string': longString,
  error,
  printf,
  redact,
  'redact-keys': redactKeys,
  patterns,
  span,
  baggage,
  channel,
  layouts,
  encodings,
  pretty,
  lambda,
  'pino-compat': pinoCompat,
  'pino-compat-child': pinoCompatChild,
  'bunyan-compat': bunyanCompat,
  'bunyan-compat-child': bunyanCompatChild,
  'bole-compat': boleCompat,
  provider,
  winston,
  'winston-transport': winstonTransport,
  'writer-process': writerProcess,
  'otlp-encoding': otlpEncoding,
  otlp,
  'otlp-messages': otlpMessages,
  disabled,
  volume,
  recorder,
  count,
  console: consoleLines,
  huge,
  'program-string': programString,
  'program-object': programObject,
  paced,
  memory,
  'growth-records': growthRecords,
  'growth-attributes': growthAttributes,
  'growth-loggers': growthLoggers,
  'growth-message': growthMessage,
  'growth-patterns': growthPatterns,
  'http-child': httpChild,
  'http-request-log': httpRequestLog,
  'http-fastify': httpFastify,
  'http-express': httpExpress,
  'http-csv': httpCsv,
  'first-line': firstLine,
  start,
  types,
  'read-pretty': readPretty,
  'read-level': readLevel,
  'read-trace': readTrace,
  'read-sort': readSort,
  'read-follow': readFollow,
  'viewer-ingest': viewerIngest,
  'viewer-filter': viewerFilter,
  'viewer-page': viewerPage,
  parts,
} as const satisfies Readonly<Record<string, Scenario>>

export type ScenarioName = keyof typeof scenarios

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[]

export const scenarioOf = (name: ScenarioName): Scenario => scenarios[name]
