import { afterEach } from '@jest/globals'
import { PipelineLogRecordProcessor, type PipelineLogRecordProcessorOptions } from '../../../src/otel/sdk/processor.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { StallingOtelExporter, type Sdk, type OfficialProcessor, type Provider } from './sdks.ts'

/** A processor behind a provider. */
export interface ProcessorSetup<P> {
  readonly processor: P
  readonly provider: Provider
  /** Emits a record for each body, at INFO. */
  readonly emit: (bodies: readonly unknown[]) => void
}

/** A PipelineLogRecordProcessor behind a provider, and its diagnostics. */
export interface PipelineSetup extends ProcessorSetup<PipelineLogRecordProcessor> {
  readonly diagnostics: readonly Diagnostic[]
  readonly codes: () => string[]
}

const open: PipelineLogRecordProcessor[] = []
const stalling: StallingOtelExporter[] = []

/** Shuts down the processors and completes the exports of each test. */
export function shutDownAfterEach(): void {
  afterEach(async () => {
    for (const exporter of stalling.splice(0)) exporter.resume()
    for (const processor of open.splice(0)) await processor.shutdown().catch(() => {})
    // One version of the API does not unregister the globals of the other.
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')]
  })
}

/** Returns an exporter that calls back when the test calls `answer()`, or immediately with `atOnce`. */
export function stallingExporter(atOnce = false): StallingOtelExporter {
  const exporter = new StallingOtelExporter(atOnce)
  stalling.push(exporter)
  return exporter
}

/** Creates a PipelineLogRecordProcessor behind the provider of an SDK version. */
export function pipeline(sdk: Sdk, options: PipelineLogRecordProcessorOptions, resource?: object): PipelineSetup {
  const diagnostics: Diagnostic[] = []
  const processor = new PipelineLogRecordProcessor({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  })
  open.push(processor)
  return { ...setUp(sdk, processor, resource), diagnostics, codes: () => diagnostics.map(({ code }) => code) }
}

/** Creates the official batch processor behind the provider of an SDK version. Its diagnostics are passed to `log`. */
export function official(
  sdk: Sdk,
  options: object,
  resource?: object,
  log: () => void = () => {},
): ProcessorSetup<OfficialProcessor> {
  const logger = { error: log, warn: log, info: log, debug: log, verbose: log }
  sdk.api.diag.setLogger(logger, { suppressOverrideMessage: true })
  return setUp(sdk, new sdk.BatchLogRecordProcessor(options), resource)
}

function setUp<P extends object>(sdk: Sdk, processor: P, resource: object | undefined): ProcessorSetup<P> {
  const own = resource === undefined ? {} : { resource }
  const provider = new sdk.LoggerProvider({ processors: [processor], ...own })
  const logger = provider.getLogger('test', '1.0')
  const emit = (bodies: readonly unknown[]) => {
    for (const body of bodies) logger.emit({ body, severityNumber: 9 })
  }
  return { processor, provider, emit }
}
