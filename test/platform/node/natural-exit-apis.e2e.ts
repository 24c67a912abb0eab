import { createServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createHttpServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { importOfBuild, runModule } from '../../support/processes/child.ts'
import { fakeCollector } from '../../support/otlp/fake-collector.ts'
import { freePorts } from '../../support/processes/ports.ts'

/** Long enough for each delivery on a busy machine, in ms. */
const deliveryTimeoutMillis = 30_000
/** Short, where nothing can be delivered, in ms. */
const exitTimeoutMillis = 400
/** The allowance beyond the exit timeout on a busy machine, in ms. An exporter retries for 120,000. */
const graceMillis = 3_000

let silent: Server
let refused: number
beforeAll(async () => {
  // Accepts connections and never answers.
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  ;[refused] = (await freePorts(1)) as [number]
})
afterAll(() => void silent.close())

/** APIs, as statements that create `log`. */
const apis: Readonly<Record<string, (port: number, exitTimeoutMillis: number) => string>> = {
  'createLogger() with fetchExporter()': (port, exitTimeoutMillis) =>
    `const log = createLogger({ exporter: ${fetching(port)}, exitTimeoutMillis: ${exitTimeoutMillis} })`,
  'sluiceTransport() with fetchExporter()': (port, exitTimeoutMillis) => `
    const transport = sluiceTransport({ exporter: ${fetching(port)}, exitTimeoutMillis: ${exitTimeoutMillis} })
    const log = winston.createLogger({ transports: [transport] })`,
  'sluiceTransport() with otlpExporter()': (port, exitTimeoutMillis) => `
    const exporter = otlpExporter({ url: 'http://127.0.0.1:${port}/v1/logs' })
    const transport = sluiceTransport({ exporter, exitTimeoutMillis: ${exitTimeoutMillis} })
    const log = winston.createLogger({ transports: [transport] })`,
  'the Http transport': (port) =>
    `const log = winston.createLogger({ transports: [new winston.transports.Http({ host: '127.0.0.1', port: ${port} })] })`,
  'the Http transport with batches': (port) =>
    `const log = winston.createLogger({ transports: [new winston.transports.Http({ host: '127.0.0.1', port: ${port}, batch: true })] })`,
}

function fetching(port: number): string {
  return `fetchExporter({ url: 'http://127.0.0.1:${port}/v1/logs' })`
}

/** A server that accepts JSON, for the Http transport. */
async function jsonServer(): Promise<{ port: number; readonly sequence: number[]; close(): Promise<void> }> {
  const bodies: string[] = []
  const server = createHttpServer(async (request, response) => {
    bodies.push(await text(request))
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    get sequence() {
      return [...bodies.join().matchAll(/"seq":(\d)/g)].map(([, seq]) => Number(seq))
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** How long a program continues after its records, in ms. */
const pauses = { 'at once': 0, 'after its exports have begun': 200 }

function program(api: string, pauseMillis: number): string {
  return `
    ${importOfBuild('* as winston', 'sluice/winston')}
    ${importOfBuild('{ sluiceTransport }', 'sluice/winston')}
    ${importOfBuild('{ createLogger }', 'sluice')}
    ${importOfBuild('{ createLogger as createCoreLogger, fetchExporter }', 'sluice/core')}
    ${importOfBuild('{ otlpExporter }', 'sluice/exporters')}
    const start = performance.now()
    process.on('exit', () => console.log(JSON.stringify({ held: performance.now() - start })))
    ${api}
    for (let seq = 0; seq < 3; seq++) log.info('one', { seq })
    ${pauseMillis === 0 ? '' : `setTimeout(() => {}, ${pauseMillis})`}`
}

const cases = Object.keys(apis).flatMap((api) =>
  (Object.keys(pauses) as (keyof typeof pauses)[]).map((pause) => [api, pause] as const),
)

describe('a process that ends naturally without a flush', () => {
  test.each(cases)('every record of %s is sent when the process ends %s', async (api, pause) => {
    const server = api.includes('Http') ? await jsonServer() : await fakeCollector()
    try {
      const { code, stderr } = await runModule(program(apis[api]!(server.port, deliveryTimeoutMillis), pauses[pause]))
      expect({ code, stderr, sent: server.sequence }).toEqual({ code: 0, stderr: '', sent: [0, 1, 2] })
    } finally {
      await server.close()
    }
  })

  test.each(cases)(
    'the exit is bounded and reports the loss when a collector refuses %s and the process ends %s',
    async (api, pause) => {
      const { code, stdout, stderr } = await runModule(program(apis[api]!(refused, exitTimeoutMillis), pauses[pause]))
      expect(code).toBe(0)
      expect(JSON.parse(stdout).held).toBeLessThan(boundOf(api) + graceMillis)
      expect(stderr).toMatch(/SLUICE_RECORDS_LOST: 3 records could not be written to \w+:/)
    },
  )

  // Without batches, the request of the Http transport begins before the natural end: its own limit of 10 s applies.
  test.each(cases.filter(([api]) => api !== 'the Http transport'))(
    'the exit is bounded and reports lost records when a collector does not respond to %s and the process ends %s',
    async (api, pause) => {
      const port = (silent.address() as AddressInfo).port
      const { code, stdout, stderr } = await runModule(program(apis[api]!(port, exitTimeoutMillis), pauses[pause]))
      expect(code).toBe(0)
      expect(JSON.parse(stdout).held).toBeLessThan(boundOf(api) + graceMillis)
      expect(stderr).toContain('SLUICE_RECORDS_LOST')
    },
  )
})

/** Returns the exit timeout of an API, in ms. The Http transport has the default. */
function boundOf(api: string): number {
  return api.includes('Http') ? 2_000 : exitTimeoutMillis
}

/** On Node, the core logger has no exit handling: one request is bounded by its own limit. */
describe('a process with a logger of sluice/core that ends naturally without a flush', () => {
  const timeoutMillis = 300
  const core = (port: number) =>
    `const log = createCoreLogger({ exporter: fetchExporter({ url: 'http://127.0.0.1:${port}/v1/logs', timeoutMillis: ${timeoutMillis} }) })`

  test.each(Object.keys(pauses) as (keyof typeof pauses)[])(
    'every record of a sluice/core logger is sent when the process ends %s',
    async (pause) => {
      const collector = await fakeCollector()
      try {
        const { code, stderr } = await runModule(program(core(collector.port), pauses[pause]))
        expect({ code, stderr, sent: collector.sequence }).toEqual({ code: 0, stderr: '', sent: [0, 1, 2] })
      } finally {
        await collector.close()
      }
    },
  )

  test.each(['refuses', 'does not answer'])(
    'a sluice/core logger reports a collector that %s, and the exit is bounded',
    async (kind) => {
      const port = kind === 'refuses' ? refused : (silent.address() as AddressInfo).port
      const { code, stdout, stderr } = await runModule(program(core(port), 0))
      expect(code).toBe(0)
      // A batch waits a second for more records.
      expect(JSON.parse(stdout).held).toBeLessThan(1_000 + timeoutMillis + graceMillis)
      expect(stderr).toMatch(/SLUICE_\w+: otlp:\S+ did not respond/)
    },
  )
})
