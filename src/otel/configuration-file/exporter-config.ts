import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fdExporter } from '../../exporters/fd/fd-exporter.ts'
import { fileExporter } from '../../exporters/file/file-exporter.ts'
import { pickDeliveryOptions } from '../../exporters/exporter-options.ts'
import { otlpExporterIn } from '../../exporters/otlp/otlp-exporter.ts'
import { maxResponseBytes } from '../../exporters/otlp/request-result.ts'
import type { OtlpTls } from '../../exporters/otlp/tls.ts'
import type { Delivery, Exporter } from '../../pipeline/exporter.ts'
import { ConfigurationError } from '../../options/configuration-error.ts'
import { maxTimerMillis } from '../../options/option-checks.ts'
import { parseHeaderList, headerProblem } from '../../platform/node/otlp-header-list.ts'
import { endpointOf, isValidEndpoint } from '../../platform/node/otlp-endpoint.ts'
import type { ConfigSection } from './config-section.ts'
import { withoutPrototype } from '../../options/own-members.ts'

/** The maximum of the sizes of queues and batches, in records: the largest 32-bit integer. */
const maxRecords = 2_147_483_647

/** Creates the exporter of an entry of `logger_provider.processors`. Reports an invalid entry and returns undefined. */
export function exporterOfProcessor(processor: ConfigSection): Exporter | undefined {
  const component = processor.component()
  if (component === undefined) return undefined
  const { name, options } = component
  if (name !== 'batch' && name !== 'simple') {
    options.reportProblem('is not a supported processor: use batch or simple, or `processors` of createLoggerProvider')
    return undefined
  }
  const delivery = name === 'batch' ? batchDelivery(options) : { scheduledDelayMillis: 0 }
  options.require('exporter')
  const exporter = options.section('exporter')?.component()
  options.reportUnknown()
  return exporter === undefined ? undefined : exporterOf(exporter.name, exporter.options, delivery)
}

/**
 * Returns the delivery options of a batch processor. The exporter's defaults apply to unset options, as with `OTEL_BLRP_*`. A batch
 * size is limited to the queue size if both are set.
 */
function batchDelivery(options: ConfigSection): Delivery {
  const maxQueueSize = options.integer('max_queue_size', 1, maxRecords)
  const batchSize = options.integer('max_export_batch_size', 1, maxRecords)
  return pickDeliveryOptions(
    withoutUndefined({
      scheduledDelayMillis: options.integer('schedule_delay', 0, maxTimerMillis),
      exportTimeoutMillis: options.integer('export_timeout', 0, maxTimerMillis),
      maxQueueSize,
      maxExportBatchSize: batchSize === undefined ? undefined : Math.min(batchSize, maxQueueSize ?? Infinity),
    }),
  )
}

type ExporterFactory = (options: ConfigSection, delivery: Delivery) => Exporter | undefined

/** The supported exporters by their name in the file. */
const exporterFactories: Readonly<Record<string, ExporterFactory>> = {
  otlp_http: otlpHttp,
  'otlp_file/development': otlpFile,
  console: (_, delivery) => fdExporter(delivery),
}

function exporterOf(name: string, options: ConfigSection, delivery: Delivery): Exporter | undefined {
  const create = Object.hasOwn(exporterFactories, name) ? exporterFactories[name]! : undefined
  if (create === undefined) {
    const supported = `supported exporters are ${Object.keys(exporterFactories).join(', ')}`
    const grpc = '; for gRPC pass the official exporter to createLoggerProvider({ exporter: fromLogRecordExporter(…) })'
    options.reportProblem(`is not a supported exporter: ${supported}${name === 'otlp_grpc' ? grpc : ''}`)
    return undefined
  }
  try {
    const exporter = create(options, delivery)
    options.reportUnknown()
    return exporter
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    for (const { message } of error.problems) options.reportProblem(message)
    return undefined
  }
}

function otlpHttp(options: ConfigSection, delivery: Delivery): Exporter | undefined {
  const url = options.string('endpoint')
  const endpoint = url === undefined ? undefined : endpointOf(url)
  if (endpoint !== undefined && !isValidEndpoint(endpoint)) options.reportProblem(endpoint.problem, 'endpoint')
  const encoding = options.word('encoding', ['protobuf', 'json'])
  const maxRequestBytes = options.integer('max_request_size', 0)
  // The maximum response size cannot be changed.
  const responseBytes = options.integer('max_response_size', 1) ?? maxResponseBytes
  if (responseBytes !== maxResponseBytes) options.reportIgnored('max_response_size')
  const exporterOptions = withoutUndefined({
    ...delivery,
    // The URL in a configuration file is used unchanged: the path `/v1/logs` is not added to a URL without a path.
    url: endpoint !== undefined && isValidEndpoint(endpoint) ? endpoint.url.href : undefined,
    protocol: encoding === undefined ? undefined : (`http/${encoding}` as const),
    compression: options.word('compression', ['gzip', 'none']),
    timeoutMillis: options.integer('timeout', 0, maxTimerMillis),
    // In the file, 0 means no limit.
    maxRequestBytes: maxRequestBytes === 0 ? Infinity : maxRequestBytes,
    headers: headersOf(options),
    tls: tlsOf(options.nullableSection('tls')),
  })
  // The environment is empty, because the `OTEL_EXPORTER_OTLP_*` variables do not apply with a configuration file.
  return endpoint === undefined || isValidEndpoint(endpoint) ? otlpExporterIn({}, exporterOptions) : undefined
}

/** Returns the headers; entries of `headers` override those of `headers_list`. */
function headersOf(options: ConfigSection): Readonly<Record<string, string>> {
  const list = parseHeaderList(options.string('headers_list') ?? '', (what) =>
    options.reportProblem(`has an entry that ${what}`, 'headers_list'),
  )
  const headers = new Map(list)
  for (const header of options.has('headers') ? (options.sections('headers') ?? []) : []) {
    header.require('name')
    header.require('value')
    const name = header.string('name')
    const value = header.string('value')
    header.reportUnknown()
    if (name === undefined || value === undefined) continue
    const problem = headerProblem(name, value)
    if (problem === undefined) headers.set(name.toLowerCase(), value)
    else header.reportProblem(problem)
  }
  return Object.fromEntries(headers)
}

function tlsOf(options: ConfigSection | undefined): OtlpTls | undefined {
  if (options === undefined) return undefined
  const absolutePath = (name: string): string | undefined => {
    const path = options.string(name)
    if (path !== undefined && !isAbsolute(path)) options.reportProblem('must be an absolute path', name)
    return path
  }
  const tls = withoutUndefined({
    caFile: absolutePath('ca_file'),
    certFile: absolutePath('cert_file'),
    keyFile: absolutePath('key_file'),
  })
  if ((tls.certFile === undefined) !== (tls.keyFile === undefined))
    options.reportProblem('must set both cert_file and key_file, or neither')
  options.reportUnknown()
  return tls
}

function otlpFile(options: ConfigSection, delivery: Delivery): Exporter | undefined {
  const stream = options.string('output_stream') ?? 'stdout'
  if (stream === 'stdout') return fdExporter({ ...delivery, format: 'otlpJson' })
  try {
    if (stream.startsWith('file:///'))
      return fileExporter({ ...delivery, path: fileURLToPath(stream), format: 'otlpJson' })
  } catch (error) {
    if (error instanceof ConfigurationError) throw error // other errors mean an invalid file URL, reported below
  }
  options.reportProblem('must be stdout or a URL such as file:///var/log/app.jsonl', 'output_stream')
  return undefined
}

/** Returns a copy with only the members that are set. */
function withoutUndefined<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const definedEntries = Object.entries(options).filter(([, value]) => value !== undefined)
  return withoutPrototype(Object.fromEntries(definedEntries)) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
