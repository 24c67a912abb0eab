import * as sdk from '@opentelemetry/sdk-logs'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { captureLogs } from '../../../src/create/capture-logs.ts'
import { createLogger as createCoreLogger } from '../../../src/create/create-core-logger.ts'
import { createLogger } from '../../../src/create/create-logger.ts'
import {
  fdExporter,
  fileExporter,
  memoryExporter,
  otlpExporter,
  spool,
  type Exporter,
  type OtlpExporterOptions,
} from '../../../src/entries/exporters.ts'
import { consoleExporter } from '../../../src/exporters/console/console-exporter.ts'
import { fetchExporter } from '../../../src/exporters/fetch/fetch-exporter.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import { EncodingLogRecordExporter } from '../../../src/otel/sdk/encoding-exporter.ts'
import { PipelineLogRecordProcessor } from '../../../src/otel/sdk/processor.ts'
import { fromLogRecordExporter } from '../../../src/otel/sdk/foreign-exporter.ts'
import type { RedactOptions } from '../../../src/redact/redact.ts'
import { runChild } from '../../support/processes/child.ts'
import { fakeCollector, status } from '../../support/otlp/fake-collector.ts'
import { logRows, rowsAndRules, type Kind } from './rules.ts'

/** Everything that was written to one destination, read as Latin-1. */
type Output = Promise<string>

/** Logs all rows of a kind to one destination, and returns its contents and the reported diagnostics. */
export type Sink = (kind: Kind, path: (name: string) => string) => Output

const program = fileURLToPath(new URL('program.ts', import.meta.url))

/** Logs to an exporter, and reads what was written. */
async function through(kind: Kind, exporter: Exporter, read: () => string | Output): Output {
  const diagnostics: unknown[] = []
  const log = createLogger({
    level: 'trace',
    redact: rowsAndRules(kind).redact,
    exporter,
    handleExit: false,
    onDiagnostic: (problem) => diagnostics.push(problem),
  })
  return end(log, kind, read, diagnostics)
}

async function end(
  log: RootLogger,
  kind: Kind,
  read: () => string | Output,
  diagnostics: readonly unknown[] = [],
): Output {
  logRows(log, kind)
  await log.flush({ timeoutMillis: 5_000 })
  const left = await read()
  const shown = inspect([log, log.stats()], { depth: 9, showHidden: true })
  await log.shutdown({ timeoutMillis: 5_000 })
  return left + shown + JSON.stringify(diagnostics)
}

async function collected(kind: Kind, options: OtlpExporterOptions): Output {
  const collector = await fakeCollector()
  const read = () => collector.received.map(({ body }) => body.toString('latin1')).join('')
  try {
    return await through(kind, otlpExporter({ url: collector.url, ...options }), read)
  } finally {
    await collector.close()
  }
}

/** Logs through OpenTelemetry's SDK: path and key rules apply in the logger, patterns after the SDK. */
async function bySdk(kind: Kind, processorOf: (redact: RedactOptions) => object, read: () => string): Output {
  const { redact } = rowsAndRules(kind)
  const isBehind = kind === 'patterns'
  const provider = new sdk.LoggerProvider({ processors: [processorOf(isBehind ? redact : {}) as never] })
  const log = createLogger({ level: 'trace', provider: provider as never, ...(isBehind ? {} : { redact }) })
  logRows(log, kind)
  await provider.forceFlush()
  const left = read()
  await provider.shutdown()
  return left
}

/** Every destination of this package, with its output formats, and captured logs. */
export const sinks: Readonly<Record<string, Sink>> = {
  'the standard output of a process': async (kind) => {
    const { stdout, stderr, code } = await runChild({ args: [program, kind] })
    if (code !== 0 || stderr !== '') throw new Error(stderr)
    return Buffer.from(stdout).toString('latin1')
  },
  'a file by a writer process': async (kind, path) => {
    const { stdout, stderr, code } = await runChild({ args: [program, kind, path('process.log')] })
    if (code !== 0) throw new Error(stderr)
    return stdout + stderr + readFileSync(path('process.log'), 'latin1')
  },
  'a descriptor, pretty': (kind, path) => {
    const fd = openSync(path('fd.log'), 'w')
    return through(kind, fdExporter({ fd, format: 'pretty' }), () => {
      closeSync(fd)
      return readFileSync(path('fd.log'), 'latin1')
    })
  },
  'a file': (kind, path) => {
    const file = path('app.log')
    return through(kind, fileExporter({ path: file, format: 'otlpJson' }), () => readFileSync(file, 'latin1'))
  },
  'OTLP/JSON, compressed': (kind) => collected(kind, { protocol: 'http/json', compression: 'gzip' }),
  'OTLP/protobuf': (kind) => collected(kind, { protocol: 'http/protobuf', compression: 'none' }),
  'the segments of a spool': async (kind, path) => {
    const collector = await fakeCollector()
    collector.respondAlways(status(503))
    const exporter = spool(otlpExporter({ url: collector.url, retry: { maxElapsedMillis: 0 } }), {
      directory: path('spool'),
      maxBytes: 8 * 1_024 * 1_024,
    })
    const log = createLogger({
      level: 'trace',
      redact: rowsAndRules(kind).redact,
      exporter,
      handleExit: false,
      onDiagnostic() {},
    })
    logRows(log, kind)
    // Rejected records stay on disk after shutdown.
    await log.shutdown({ timeoutMillis: 1_000 })
    await collector.close()
    return readdirSync(path('spool'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'latin1'))
      .join('')
  },
  memory: (kind) => {
    const memory = memoryExporter()
    return through(kind, memory, () => JSON.stringify(memory.records))
  },
  'the console': async (kind) => {
    const printed: unknown[] = []
    const methods = { ...console }
    for (const name of ['debug', 'info', 'warn', 'error'] as const) console[name] = (...args) => void printed.push(args)
    const exporters = [consoleExporter(), consoleExporter({ format: 'object' })]
    Object.assign(console, methods)
    return end(createCoreLogger({ level: 'trace', redact: rowsAndRules(kind).redact, exporter: exporters }), kind, () =>
      inspect(printed, { depth: 40, maxArrayLength: null, maxStringLength: null }),
    )
  },
  'fetch, without Node': async (kind) => {
    const collector = await fakeCollector()
    const exporter = fetchExporter({ url: collector.url })
    const log = createCoreLogger({ level: 'trace', redact: rowsAndRules(kind).redact, exporter })
    try {
      return await end(log, kind, () => collector.received.map(({ body }) => body.toString('latin1')).join(''))
    } finally {
      await collector.close()
    }
  },
  'captured logs': async (kind) => {
    using logs = captureLogs({ redact: rowsAndRules(kind).redact })
    logRows(logs.logger, kind)
    return JSON.stringify(logs.records) + logs.text()
  },
  'an exporter of OpenTelemetry': async (kind) => {
    const official = new sdk.InMemoryLogRecordExporter()
    const exporter = fromLogRecordExporter(official)
    return through(kind, exporter, () => inspect(official.getFinishedLogRecords(), { depth: 40, maxArrayLength: null }))
  },
  'the SDK of OpenTelemetry with our processor': (kind) => {
    const memory = memoryExporter()
    return bySdk(
      kind,
      (redact) => new PipelineLogRecordProcessor({ exporter: memory, redact }),
      () => JSON.stringify(memory.records),
    )
  },
  'the SDK of OpenTelemetry with our exporter': (kind) => {
    const memory = memoryExporter()
    return bySdk(
      kind,
      (redact) =>
        new sdk.BatchLogRecordProcessor({
          exporter: new EncodingLogRecordExporter({ exporter: memory, redact }),
        }),
      () => JSON.stringify(memory.records),
    )
  },
}
