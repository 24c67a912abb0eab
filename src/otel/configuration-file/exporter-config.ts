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
import { headerList, headerProblem } from '../../platform/node/otlp-header-list.ts'
import { endpointOf, isUrl } from '../../platform/node/otlp-endpoint.ts'
import type { ConfigSection } from './config-section.ts'
import { ownCopy } from '../../options/own-members.ts'

/** The maximum delay of a timer in ms. It is also the maximum queue size. */
const largest = 2_147_483_647

/** Creates the exporter of an entry of `logger_provider.processors`. Reports an invalid entry and returns undefined. */
export function exporterOfProcessor(processor: ConfigSection): Exporter | undefined {
  const component = processor.component()
  if (component === undefined) return undefined
  const { name, options } = component
  if (name !== 'batch' && name !== 'simple') {
    options.wrong('is not a supported processor: use batch or simple, or `processors` of createLoggerProvider')
    return undefined
  }
  const delivery = name === 'batch' ? batchDelivery(options) : { scheduledDelayMillis: 0 }
  options.require('exporter')
  const exporter = options.section('exporter')?.component()
  options.finish()
  return exporter === undefined ? undefined : exporterOf(exporter.name, exporter.options, delivery)
}

/**
 * Returns the delivery options of a batch processor. The exporter's defaults apply to unset options, as with `OTEL_BLRP_*`. The
 * batch size is limited to the queue size.
 */
function batchDelivery(options: ConfigSection): Delivery {
  const maxQueueSize = options.integer('max_queue_size', 1, largest)
  const batchSize = options.integer('max_export_batch_size', 1, largest)
  return pickDeliveryOptions(
    given({
      scheduledDelayMillis: options.integer('schedule_delay', 0, largest),
      exportTimeoutMillis: options.integer('export_timeout', 0, largest),
      maxQueueSize,
      maxExportBatchSize: batchSize === undefined ? undefined : Math.min(batchSize, maxQueueSize ?? Infinity),
    }),
  )
}

type ExporterFactory = (options: ConfigSection, delivery: Delivery) => Exporter | undefined

const exporters: Readonly<Record<string, ExporterFactory>> = {
  otlp_http: otlpHttp,
  'otlp_file/development': otlpFile,
  console: (_, delivery) => fdExporter(delivery),
}

function exporterOf(name: string, options: ConfigSection, delivery: Delivery): Exporter | undefined {
  const create = Object.hasOwn(exporters, name) ? exporters[name]! : undefined
  if (create === undefined) {
    const known = `supported exporters are ${Object.keys(exporters).join(', ')}`
    const grpc = '; for gRPC pass the official exporter to createLoggerProvider({ exporter: fromLogRecordExporter(…) })'
    options.wrong(`is not a supported exporter: ${known}${name === 'otlp_grpc' ? grpc : ''}`)
    return undefined
  }
  try {
    const exporter = create(options, delivery)
    options.finish()
    return exporter
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    for (const { message } of error.problems) options.wrong(message)
    return undefined
  }
}

function otlpHttp(options: ConfigSection, delivery: Delivery): Exporter | undefined {
  const url = options.string('endpoint')
  const endpoint = url === undefined ? undefined : endpointOf(url)
  if (endpoint !== undefined && !isUrl(endpoint)) options.wrong(endpoint.problem, 'endpoint')
  const encoding = options.word('encoding', ['protobuf', 'json'])
  const maxRequestBytes = options.integer('max_request_size', 0)
  const maxAnswer = options.integer('max_response_size', 1) ?? maxResponseBytes
  if (maxAnswer !== maxResponseBytes) options.ignore('max_response_size')
  const exporterOptions = given({
    ...delivery,
    url,
    protocol: encoding === undefined ? undefined : (`http/${encoding}` as const),
    compression: options.word('compression', ['gzip', 'none']),
    timeoutMillis: options.integer('timeout', 0, largest),
    maxRequestBytes: maxRequestBytes === 0 ? Infinity : maxRequestBytes,
    headers: headersOf(options),
    tls: tlsOf(options.section('tls', true)),
  })
  // Pass an empty environment: `OTEL_EXPORTER_OTLP_*` variables do not apply with a configuration file.
  return endpoint === undefined || isUrl(endpoint) ? otlpExporterIn({}, exporterOptions) : undefined
}

/** Returns the headers; entries of `headers` override those of `headers_list`. */
function headersOf(options: ConfigSection): Readonly<Record<string, string>> {
  const list = headerList(options.string('headers_list') ?? '', (what) =>
    options.wrong(`has an entry that ${what}`, 'headers_list'),
  )
  const headers = new Map(list)
  for (const header of options.has('headers') ? (options.sections('headers') ?? []) : []) {
    header.require('name')
    header.require('value')
    const name = header.string('name')
    const value = header.string('value')
    header.finish()
    if (name === undefined || value === undefined) continue
    const problem = headerProblem(name, value)
    if (problem === undefined) headers.set(name.toLowerCase(), value)
    else header.wrong(problem)
  }
  return Object.fromEntries(headers)
}

function tlsOf(options: ConfigSection | undefined): OtlpTls | undefined {
  if (options === undefined) return undefined
  const fileAt = (name: string): string | undefined => {
    const path = options.string(name)
    if (path !== undefined && !isAbsolute(path)) options.wrong('must be an absolute path', name)
    return path
  }
  const tls = given({ caFile: fileAt('ca_file'), certFile: fileAt('cert_file'), keyFile: fileAt('key_file') })
  if ((tls.certFile === undefined) !== (tls.keyFile === undefined))
    options.wrong('must set both cert_file and key_file, or neither')
  options.finish()
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
  options.wrong('must be stdout or a URL such as file:///var/log/app.jsonl', 'output_stream')
  return undefined
}

/** Returns a copy with only the members that are set. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const set = Object.entries(options).filter(([, value]) => value !== undefined)
  return ownCopy(Object.fromEntries(set)) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
