import { createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { importOf, runModule } from '../../support/processes/child.ts'
import { freePorts } from '../../support/processes/ports.ts'

const exitTimeoutMillis = 300
/** The allowance beyond the exit timeout on a busy machine, in ms. An unbounded exit takes 120,000. */
const graceMillis = 4_000

let silent: Server
let refused: number
beforeAll(async () => {
  // Accepts connections and never answers.
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  ;[refused] = (await freePorts(1)) as [number]
})
afterAll(() => void silent.close())

/** How a program ends. */
const ways = {
  'a natural exit': '',
  'process.exit()': 'process.exit()',
  SIGTERM: `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1_000)`,
  'an uncaught exception': `setTimeout(() => { throw new Error('mine') })`,
}

type Exporters = Readonly<Record<string, (port: { silent: number; refused: number }) => string>>

/** Exporters of the SDK, as the expression that creates one. */
const exporters: Exporters = {
  'that never calls back': () => `{ export() {}, forceFlush: async () => {}, shutdown: async () => {} }`,
  'whose shutdown and forceFlush never resolve': () =>
    `{ export() {}, forceFlush: () => new Promise(() => {}), shutdown: () => new Promise(() => {}) }`,
  'that leaves timers': () =>
    `{ export() { setInterval(() => {}, 1_000) }, forceFlush: async () => {}, shutdown: async () => {} }`,
  'that calls back and leaves sockets': ({ silent: port }) =>
    `{ export(records, done) { connect(${port}, '127.0.0.1'); done({ code: 0 }) }, forceFlush: async () => {}, shutdown: async () => {} }`,
  'that is not read by its server': ({ silent: port }) =>
    `{ export() { connect(${port}, '127.0.0.1').write(Buffer.alloc(64 * 1024 * 1024)) }, forceFlush: async () => {}, shutdown: async () => {} }`,
  'for OTLP/HTTP that is refused': ({ refused: port }) => otlp('Http', port),
  'for OTLP/HTTP, of the older line, that is refused': ({ refused: port }) =>
    `new legacy.exporterHttp.OTLPLogExporter({ url: 'http://127.0.0.1:${port}/v1/logs' })`,
  'for OTLP/HTTP that gets no answer': ({ silent: port }) => otlp('Http', port),
  'for OTLP/gRPC that is refused': ({ refused: port }) => otlp('Grpc', port),
  'for OTLP/gRPC that gets no answer': ({ silent: port }) => otlp('Grpc', port),
}

function otlp(kind: 'Http' | 'Grpc', port: number): string {
  const url = `http://127.0.0.1:${port}${kind === 'Http' ? '/v1/logs' : ''}`
  return `new ${kind}({ url: '${url}' })`
}

function program(exporter: string, rest: string): string {
  return `
    import { connect } from 'node:net'
    import { OTLPLogExporter as Http } from '@opentelemetry/exporter-logs-otlp-http'
    import { OTLPLogExporter as Grpc } from '@opentelemetry/exporter-logs-otlp-grpc'
    import { LoggerProvider } from '@opentelemetry/sdk-logs'
    ${importOf('* as legacy', 'test/legacy-otel/index.ts')}
    ${importOf('{ PipelineLogRecordProcessor }', 'src/entries/otel.ts')}
    const processor = new PipelineLogRecordProcessor({ exporter: ${exporter}, exitTimeoutMillis: ${exitTimeoutMillis}, onDiagnostic() {} })
    new LoggerProvider({ processors: [processor] }).getLogger('a').emit({ body: 'one' })
    const start = performance.now()
    process.on('exit', () => {
      const [{ written, unknown, dropped }] = processor.stats().exporters
      console.log(JSON.stringify({ held: performance.now() - start, written, unknown, dropped: dropped.total }))
    })
    ${rest}`
}

const cases = Object.keys(exporters).flatMap((name) => Object.keys(ways).map((way) => [name, way] as const))

describe('process exit with an SDK exporter', () => {
  test.each(cases)(
    'an SDK exporter %s delays a process that ends by %s for at most exitTimeoutMillis',
    async (name, way) => {
      const ports = { silent: (silent.address() as AddressInfo).port, refused }
      const text = program(exporters[name]!(ports), ways[way as keyof typeof ways])
      const { elapsed, stdout } = await runModule(text, { timeoutMillis: 12_000 })
      expect(elapsed).toBeLessThan(exitTimeoutMillis + graceMillis)
      // The default action of a signal runs no exit listeners.
      if (way === 'SIGTERM') return
      const { held, written, unknown, dropped } = JSON.parse(stdout)
      expect(held).toBeLessThan(exitTimeoutMillis + graceMillis / 2)
      expect(written + unknown + dropped).toBe(1)
      expect(name.includes('refused') ? unknown : 0).toBe(0)
    },
  )

  const inFlight = `await processor.forceFlush({ timeoutMillis: 150 }).catch(() => {}); process.exit()`

  test.each(['for OTLP/HTTP that is refused', 'for OTLP/gRPC that is refused'])(
    'an unsent batch of an SDK exporter %s that is in flight at process.exit() counts as dropped',
    async (name) => {
      const { stdout } = await runModule(program(exporters[name]!({ silent: 0, refused }), inFlight))
      expect(JSON.parse(stdout)).toMatchObject({ written: 0, unknown: 0, dropped: 1 })
    },
  )

  test('a batch that was sent and is in flight at process.exit() counts as unknown', async () => {
    const ports = { silent: (silent.address() as AddressInfo).port, refused }
    const { stdout } = await runModule(program(exporters['for OTLP/HTTP that gets no answer']!(ports), inFlight))
    expect(JSON.parse(stdout)).toMatchObject({ written: 0, unknown: 1, dropped: 0 })
  })

  test('a natural exit waits for an export that succeeds', async () => {
    const slow = `{ export(records, done) { setTimeout(() => done({ code: 0 }), 100) }, forceFlush: async () => {}, shutdown: async () => {} }`
    const { stdout } = await runModule(program(slow, ''))
    expect(JSON.parse(stdout)).toMatchObject({ written: 1, unknown: 0, dropped: 0 })
  })

  test('a natural exit is bounded if the exporter reuses a connection that it opened before', async () => {
    let requests = 0
    const first = createHttpServer((request, response) => {
      if (++requests === 1) request.resume().on('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await once(first, 'listening')
    const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}`
    const rest = `
      const second = new PipelineLogRecordProcessor({ exporter: new Http({ url: '${url}' }), exitTimeoutMillis: ${exitTimeoutMillis}, onDiagnostic() {} })
      const logger = new LoggerProvider({ processors: [second] }).getLogger('b')
      logger.emit({ body: 'one' })
      await second.forceFlush()
      await new Promise((resolve) => setTimeout(resolve, 50))
      logger.emit({ body: 'two' })
      process.on('exit', () => console.log(JSON.stringify(second.stats().exporters[0].written)))`
    const works = `{ export(records, done) { done({ code: 0 }) }, forceFlush: async () => {}, shutdown: async () => {} }`
    const { elapsed, stdout } = await runModule(program(works, rest))
    first.closeAllConnections()
    first.close()
    expect(elapsed).toBeLessThan(exitTimeoutMillis + graceMillis)
    expect(requests).toBe(2)
    expect(stdout).toMatch(/^1$/m)
  })

  test('the exit code is that of the program', async () => {
    const text = program(exporters['that leaves timers']!({ silent: 0, refused: 0 }), 'process.exitCode = 7')
    expect(await runModule(text)).toMatchObject({ code: 7 })
  })

  test('the work of another beforeExit listener completes before the process exits', async () => {
    const rest = `process.once('beforeExit', () => setTimeout(() => console.error('done'), ${exitTimeoutMillis + 500}))`
    const { stderr } = await runModule(program(exporters['that never calls back']!({ silent: 0, refused: 0 }), rest))
    expect(stderr).toContain('done')
  })

  test('records that a program emits after beforeExit are exported', async () => {
    const works = `{ export(records, done) { done({ code: 0 }) }, forceFlush: async () => {}, shutdown: async () => {} }`
    const rest = `process.once('beforeExit', () => setTimeout(() => new LoggerProvider({ processors: [processor] }).getLogger('a').emit({ body: 'two' }), 500))`
    const { stdout } = await runModule(program(works, rest))
    expect(JSON.parse(stdout)).toMatchObject({ written: 2, dropped: 0 })
  })
})
