import { expect, test } from '@jest/globals'
import { fileURLToPath } from 'node:url'
import { runChild } from '../../support/processes/child.ts'

const path = (file: string) => JSON.stringify(fileURLToPath(new URL(`../../../${file}`, import.meta.url)))

/** CommonJS, because instrumentations patch it. Defines a provider `ours`, and `report()` to print the records. */
const setUp = `
  const { createLoggerProvider } = require(${path('src/otel/provider/provider.ts')})
  const { memoryExporter } = require(${path('src/exporters/memory/memory-exporter.ts')})
  const { Writable } = require('node:stream')
  const load = require('node:module').createRequire(process.cwd() + '/main.js')
  const memory = memoryExporter()
  const diagnostics = []
  const ours = createLoggerProvider({ exporter: memory, onDiagnostic: ({ code }) => diagnostics.push(code) })
  const sink = new Writable({ write: (chunk, encoding, done) => done() })
  const failure = Object.assign(new TypeError('no route', { cause: new Error('inner') }), { code: 'E_ROUTE' })
  const report = () => setImmediate(() => console.log(JSON.stringify({ records: memory.records, diagnostics })))
`

interface Report {
  readonly records: readonly (Record<string, unknown> & { readonly attributes: Record<string, unknown> })[]
  readonly diagnostics: readonly string[]
}

async function report(program: string, env: Record<string, string> = {}): Promise<Report> {
  const { stdout, stderr } = await runChild({ args: ['--input-type=commonjs', '--eval', setUp + program], env })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Report
}

test('a provider receives records of a pino instrumentation that was created before the registration', async () => {
  const { records } = await report(`
    const { PinoInstrumentation } = load('@opentelemetry/instrumentation-pino')
    new PinoInstrumentation()
    ours.register()
    const log = load('pino')({ level: 'trace' }, sink)
    log.info({ orderId: 42 }, 'placed')
    log.error(failure, 'failed')
    log.trace('low')
    report()`)
  expect(records[0]).toEqual({
    timestamp: expect.stringMatching(/Z$/),
    level: 'info',
    message: 'placed',
    'otel.scope.name': '@opentelemetry/instrumentation-pino',
    'otel.scope.version': expect.any(String),
    attributes: { orderId: 42 },
  })
  expect(records[1]).toMatchObject({
    level: 'error',
    message: 'failed',
    attributes: { 'exception.type': 'TypeError', err: { code: 'E_ROUTE' } },
  })
  expect(records[2]).toMatchObject({ level: 'trace', message: 'low' })
})

test('a registered provider receives records of the bunyan instrumentation', async () => {
  const { records } = await report(`
    const { BunyanInstrumentation } = load('@opentelemetry/instrumentation-bunyan')
    new BunyanInstrumentation()
    const log = load('bunyan').createLogger({ name: 'app', stream: sink })
    ours.register()
    log.warn({ orderId: 42 }, 'placed')
    log.error(failure)
    report()`)
  expect(records[0]).toMatchObject({ level: 'warn', message: 'placed', attributes: { name: 'app', orderId: 42 } })
  expect(records[1]).toMatchObject({
    level: 'error',
    attributes: { 'exception.type': 'TypeError', 'exception.message': expect.stringContaining('no route') },
  })
})

test('a registered provider receives records of the winston instrumentation, unlike the official SDK 3.x', async () => {
  const program = `
    const { WinstonInstrumentation } = load('@opentelemetry/instrumentation-winston')
    new WinstonInstrumentation()
    const winston = load('winston')
    const log = winston.createLogger({ levels: winston.config.syslog.levels, transports: [new winston.transports.Stream({ stream: sink })] })
    log.info('placed', { orderId: 42 })
    log.crit('failed', { err: failure })
    report()`
  const { records } = await report(`ours.register();${program}`)
  expect(records[0]).toMatchObject({
    level: 'info',
    message: 'placed',
    'otel.scope.name': '@opentelemetry/winston-transport',
    attributes: { orderId: 42 },
  })
  expect(records[1]).toMatchObject({
    level: 'crit',
    severity_number: 21,
    attributes: { 'exception.type': 'TypeError', 'exception.stacktrace': expect.stringContaining('inner') },
  })
  const official = `
    const { LoggerProvider, SimpleLogRecordProcessor } = load('@opentelemetry/sdk-logs')
    const exporter = { export: (records, done) => (memory.records.push(...records), done({ code: 0 })), shutdown: async () => {} }
    const theirs = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] })
    load('@opentelemetry/api').logs.setGlobalLoggerProvider(theirs);`
  expect((await report(official + program)).records).toEqual([])
})

test('records have the span of a NodeSDK that is started before or after the registration', async () => {
  const start = `
    const { NodeSDK } = load('@opentelemetry/sdk-node')
    const sdk = new NodeSDK({ spanProcessors: [{ onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} }] })
    sdk.start();`
  const log = `
    const { logs, trace } = load('@opentelemetry/api')
    trace.getTracer('t').startActiveSpan('work', async (span) => {
      await null
      logs.getLogger('a').emit({ body: span.spanContext().spanId })
      span.end()
      report()
    })`
  const env = { OTEL_LOGS_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }
  for (const program of [start + 'ours.register();' + log, 'ours.register();' + start + log]) {
    const { records, diagnostics } = await report(program, env)
    expect([records.length, records[0]!['span_id'], diagnostics]).toEqual([1, records[0]!['message'], []])
  }
})

test('register keeps the LoggerProvider of a NodeSDK', async () => {
  const { records, diagnostics } = await report(
    `
    const { NodeSDK } = load('@opentelemetry/sdk-node')
    const { SimpleLogRecordProcessor, InMemoryLogRecordExporter } = load('@opentelemetry/sdk-logs')
    const exporter = new InMemoryLogRecordExporter()
    new NodeSDK({ logRecordProcessors: [new SimpleLogRecordProcessor({ exporter })], spanProcessors: [] }).start()
    ours.register()
    load('@opentelemetry/api').logs.getLogger('a').emit({ body: 'theirs' })
    load('@opentelemetry/api-logs').logs.getLogger('a').emit({ body: 'ours' })
    report()`,
    { OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' },
  )
  expect([records.map(({ message }) => message), diagnostics]).toEqual([
    ['ours'],
    ['SLUICE_PROVIDER_ALREADY_REGISTERED'],
  ])
})
