import { describe, expect, test } from '@jest/globals'
import { BatchLogRecordProcessor, InMemoryLogRecordExporter, LoggerProvider } from '@opentelemetry/sdk-logs'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileExporter } from '../../../src/exporters/file/file-exporter.ts'
import { createLoggerProvider } from '../../../src/otel/provider/provider.ts'
import type { LoggerProviderOptions } from '../../../src/otel/provider/provider-options.ts'
import { ConfigurationError, type Diagnostic } from '../../../src/options/configuration-error.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { StallingExporter, AcceptingExporter } from '../../support/pipeline/exporters.ts'
import { emitting } from './emitting.ts'

describe('forceFlush and shutdown', () => {
  // Requirements: D9
  // Fault rows: 45
  test('a flush during another flush waits for the export, unlike with the official SDK', async () => {
    const exporter = new StallingExporter()
    const provider = createLoggerProvider({ exporter })
    const logger = provider.getLogger('a')
    logger.emit({ body: 'x' })
    const order: string[] = []
    const first = provider.forceFlush().then(() => order.push('first'))
    const second = provider.forceFlush().then(() => order.push('second'))
    await turn()
    expect(order).toEqual([])
    exporter.complete()
    await Promise.all([first, second])
    expect([order, exporter.accepted.length]).toEqual([['first', 'second'], 1])

    const { sdk, exported, release } = stalledOfficial()
    sdk.getLogger('a').emit({ body: 'x' })
    void sdk.forceFlush()
    await sdk.forceFlush()
    expect(exported()).toBe(0)
    release()
  })

  // Requirements: D10
  // Fault rows: 45
  test('a shutdown during a flush exports every record that was emitted before it', async () => {
    const exporter = new StallingExporter()
    const provider = createLoggerProvider({ exporter })
    const logger = provider.getLogger('a')
    logger.emit({ body: 'before the flush' })
    const flushed = provider.forceFlush()
    await turn()
    logger.emit({ body: 'during the flush' })
    const closed = provider.shutdown()
    logger.emit({ body: 'after shutdown' })
    for (let i = 0; i < 3; i++) {
      await turn()
      if (exporter.pending !== undefined) exporter.complete()
    }
    await flushed
    expect((await closed).pending).toBe(0)
    expect(exporter.lines().map(({ message }) => message)).toEqual([
      'before the flush',
      'during the flush',
      '1 record was dropped',
    ])
    expect(provider.stats()).toMatchObject({ written: 3, queued: 0, dropped: { byReason: { shutdown: 1 } } })
  })

  // Requirements: SDK4, CON1
  test('concurrent shutdown calls shut down the exporter once, and all return the result', async () => {
    const exporter = new AcceptingExporter()
    const provider = createLoggerProvider({ exporter })
    provider.getLogger('a').emit({ body: 'x' })
    const answers = await Promise.all([provider.shutdown(), provider.shutdown(), provider[Symbol.asyncDispose]()])
    expect([answers[0], exporter.shutdowns]).toEqual([answers[1], 1])
    expect(await provider.forceFlush()).toEqual({ ok: true, pending: 0, dropped: 0 })
  })

  // Requirements: SDK4, SDK5
  test('forceFlush and shutdown respect their timeouts when an exporter never responds', async () => {
    const provider = createLoggerProvider({ exporter: new StallingExporter(), onDiagnostic: () => {} })
    provider.getLogger('a').emit({ body: 'x' })
    const start = performance.now()
    expect(await provider.forceFlush({ timeoutMillis: 20 })).toEqual({ ok: false, pending: 1, dropped: 0 })
    expect(await provider.shutdown({ timeoutMillis: 20 })).toMatchObject({ ok: false, pending: 0 })
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(provider.stats()).toMatchObject({ queued: 0, unknown: 1 })
  })

  // Requirements: SDK4, SDK5
  // Fault rows: 46
  test('shutdown flushes and shuts down every exporter, and each has its own delivery statistics', async () => {
    const accepting = new AcceptingExporter({ name: 'accepting' })
    const provider = createLoggerProvider({
      exporter: [new StallingExporter({ name: 'dead' }), accepting],
      onDiagnostic: () => {},
    })
    provider.getLogger('a').emit({ body: 'x' })
    await provider.shutdown({ timeoutMillis: 20 })
    expect([accepting.flushes > 0, accepting.shutdowns]).toEqual([true, 1])
    expect(provider.stats().exporters.map(({ name, written, unknown }) => [name, written, unknown])).toEqual([
      ['dead', 0, 1],
      ['accepting', 1, 0],
    ])
  })

  // Requirements: D1
  // Fault rows: 14
  test('a queue overflow is counted and reported, unlike with the official SDK', async () => {
    const diagnostics: Diagnostic[] = []
    const exporter = new StallingExporter({ delivery: { maxQueueSize: 10 } })
    const provider = createLoggerProvider({ exporter, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) })
    const logger = provider.getLogger('a')
    for (let i = 0; i < 100; i++) logger.emit({ body: 'x', severityNumber: 9 })
    const { exporters, dropped } = provider.stats()
    const { emitted, accepted, queued } = exporters[0]!
    expect([emitted, accepted, queued + dropped.total, dropped.byLevel.info]).toEqual([100, 100, 100, dropped.total])
    expect([dropped.total > 80, diagnostics[0]!.code]).toEqual([true, 'SLUICE_QUEUE_FULL'])
    await provider.shutdown({ timeoutMillis: 1 })
  })
})

test('a batch lists consecutive records of the same scope together, in order', async () => {
  const exporter = new AcceptingExporter()
  const seen: unknown[] = []
  exporter.onExport = (batch) => seen.push(batch.sources().map(({ scope, count }) => [scope.name, count]))
  const provider = createLoggerProvider({ exporter })
  for (const name of ['a', 'a', 'b', 'a']) provider.getLogger(name).emit({ body: 'x' })
  await provider.forceFlush()
  expect(seen).toEqual([
    [
      ['a', 2],
      ['b', 1],
      ['a', 1],
    ],
  ])
})

// Requirements: D15
// Fault rows: 15
test('emitted records are written when the process exits, unlike with the official SDK', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-provider-'))
  const path = join(directory, 'app.jsonl')
  const program =
    importOf('{ createLoggerProvider }', 'src/otel/provider/provider.ts') +
    importOf('{ fileExporter }', 'src/exporters/file/file-exporter.ts') +
    `const exporter = fileExporter({ path: ${JSON.stringify(path)}, format: 'otlpJson', scheduledDelayMillis: 5_000 })
     const logger = createLoggerProvider({ exporter }).getLogger('a')
     for (let i = 0; i < 1_000; i++) logger.emit({ body: 'record ' + i })
     process.exit(3)`
  const { code, stderr } = await runModule(program)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  rmSync(directory, { recursive: true })
  expect([code, stderr, lines.length, lines.at(-1)]).toEqual([3, '', 1_000, expect.stringContaining('record 999"')])
})

test('two providers that write to one file share its queue', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-provider-'))
  const path = join(directory, 'app.jsonl')
  const providers = [1, 2].map(() => createLoggerProvider({ exporter: fileExporter({ path }) }))
  for (let i = 0; i < 10; i++) providers[i % 2]!.getLogger('a').emit({ body: i })
  await Promise.all(providers.map((provider) => provider.shutdown()))
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  rmSync(directory, { recursive: true })
  expect(lines.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(
    Array.from({ length: 10 }, (_, index) => String(index)),
  )
})

// Requirements: ERR2
test('invalid options are reported in one error that lists all of them', () => {
  const wrong = {
    exporterr: 1,
    exporter: [new AcceptingExporter({ delivery: { level: 'loud' } }), 'console'],
    resource: { a: [] },
    detectors: [{ detect: 1 }, null],
    resourceTimeoutMillis: -1,
    loggers: [{}],
    defaultLogger: { enabled: 1 },
    limits: { depth: 0, dept: 1 },
    redact: ['a['],
    serializers: { a: 1 },
    traceContext: 'yes',
    handleExit: 1,
    handleSignals: 1,
    exitTimeoutMillis: NaN,
    clock: 1,
    onDiagnostic: 1,
  }
  let error: ConfigurationError | undefined
  try {
    createLoggerProvider(wrong as unknown as LoggerProviderOptions)
  } catch (thrown) {
    error = thrown as ConfigurationError
  }
  expect(error).toBeInstanceOf(ConfigurationError)
  expect(error!.problems.map(({ path }) => path).toSorted()).toEqual([
    'clock',
    'defaultLogger.enabled',
    'detectors[0]',
    'detectors[1]',
    'exitTimeoutMillis',
    'exporter[0].level',
    'exporter[1]',
    'exporterr',
    'handleExit',
    'handleSignals',
    'limits.dept',
    'limits.depth',
    'loggers[0].name',
    'onDiagnostic',
    'redact[0]',
    'resource.a',
    'resourceTimeoutMillis',
    'serializers.a',
    'traceContext',
  ])
  expect(() => createLoggerProvider(null as unknown as object)).toThrow(ConfigurationError)
})

// Requirements: ERR3, ERR5
test('onDiagnostic is called once for a diagnostic, even if it throws and repeats the call that caused it', () => {
  const { provider, diagnostics } = emitting({
    onDiagnostic: (problem) => {
      diagnostics.push(problem)
      // A callback that repeats the call must not recurse.
      provider.getLogger('')
      throw new Error('no')
    },
  })
  provider.getLogger('')
  expect(diagnostics.map(({ code }) => code)).toEqual(['SLUICE_SCOPE_UNNAMED'])
})

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Returns a provider of the official SDK whose exporter completes when `release` is called. */
function stalledOfficial() {
  const inner = new InMemoryLogRecordExporter()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const exporter: InMemoryLogRecordExporter = Object.create(inner, {
    export: {
      value: (records: never[], done: (result: { code: number }) => void) => {
        void released.then(() => inner.export(records, done))
      },
    },
  })
  const sdk = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] })
  return { sdk, exported: () => inner.getFinishedLogRecords().length, release }
}
