import { afterEach } from '@jest/globals'
import { PipelineLogRecordProcessor, type PipelineLogRecordProcessorOptions } from '../../../src/otel/sdk/processor.ts'
import type { Diagnostic } from '../../../src/options/configuration-error.ts'
import { StallingOtelExporter, type Line, type OfficialProcessor, type Provider } from './lines.ts'

/** A processor behind a provider. */
export interface Behind<P> {
  readonly processor: P
  readonly provider: Provider
  /** Emits a record for each body, at INFO. */
  readonly emit: (bodies: readonly unknown[]) => void
}

/** Ours behind a provider, and what it tells. */
export interface Ours extends Behind<PipelineLogRecordProcessor> {
  readonly problems: readonly Diagnostic[]
  readonly codes: () => string[]
}

const open: PipelineLogRecordProcessor[] = []
const stalling: StallingOtelExporter[] = []

/** Has what a test has made come to its end after it. */
export function endAfterEach(): void {
  afterEach(async () => {
    for (const exporter of stalling.splice(0)) exporter.goOn()
    for (const processor of open.splice(0)) await processor.shutdown().catch(() => {})
    // What one version of the API has registered, the other does not touch.
    delete (globalThis as Record<symbol, unknown>)[Symbol.for('opentelemetry.js.api.1')]
  })
}

/** An exporter that answers when a test says so, or `atOnce`. */
export function stallingExporter(atOnce = false): StallingOtelExporter {
  const exporter = new StallingOtelExporter(atOnce)
  stalling.push(exporter)
  return exporter
}

/** Ours behind the provider of a line. */
export function pipeline(line: Line, options: PipelineLogRecordProcessorOptions, resource?: object): Ours {
  const problems: Diagnostic[] = []
  const processor = new PipelineLogRecordProcessor({ onDiagnostic: (problem) => problems.push(problem), ...options })
  open.push(processor)
  return { ...behind(line, processor, resource), problems, codes: () => problems.map(({ code }) => code) }
}

/** The official one behind the provider of a line. `told` is what it tells. */
export function official(
  line: Line,
  options: object,
  resource?: object,
  told: () => void = () => {},
): Behind<OfficialProcessor> {
  const logger = { error: told, warn: told, info: told, debug: told, verbose: told }
  line.api.diag.setLogger(logger, { suppressOverrideMessage: true })
  return behind(line, new line.BatchLogRecordProcessor(options), resource)
}

function behind<P extends object>(line: Line, processor: P, resource: object | undefined): Behind<P> {
  const own = resource === undefined ? {} : { resource }
  const provider = new line.LoggerProvider({ processors: [processor], ...own })
  const logger = provider.getLogger('test', '1.0')
  const emit = (bodies: readonly unknown[]) => {
    for (const body of bodies) logger.emit({ body, severityNumber: 9 })
  }
  return { processor, provider, emit }
}
