import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { blackHole, type BlackHole } from '../../support/otlp/black-hole.ts'
import { importOfBuild, runModule, type ChildResult } from '../../support/processes/child.ts'
import { inParallel } from '../../support/processes/exits.ts'
import { fakeCollector, status } from '../../support/otlp/fake-collector.ts'
import { freePorts } from '../../support/processes/ports.ts'

const exitTimeoutMillis = 300
/** The allowance beyond the exit timeout on a busy machine, in ms. Unbounded exits took 5,000 to 35,000. */
const graceMillis = 3_000
/** How long the program continues after its exports have begun, in ms. */
const lateMillis = 200

let silent: Server
let hole: BlackHole
let refused: number
beforeAll(async () => {
  // Accepts connections and never answers.
  silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  hole = await blackHole()
  ;[refused] = (await freePorts(1)) as [number]
})
afterAll(() => {
  silent.close()
  hole.close()
})

const urlOf = (port: number): string => `'http://127.0.0.1:${port}/v1/logs'`
const toSilent = (): string => urlOf((silent.address() as AddressInfo).port)
const toRefused = (): string => urlOf(refused)
const own = (answer: string): string =>
  `{ name: 'own', encoding: otlpExporter({ protocol: 'http/json' }).encoding, delivery: {}, export: () => (${answer}) }`

/** Exporters that do not deliver, as the expression that creates one. */
const exporters: Readonly<Record<string, () => string>> = {
  'an exporter of its own that never answers': () => own('new Promise(() => {})'),
  'a line exporter of its own that never answers': () =>
    `{ name: 'lines', encoding: fdExporter().encoding, delivery: {}, export: () => new Promise(() => {}) }`,
  'an exporter of its own with a time limit that never answers': () =>
    `{ ...${own('new Promise(() => {})')}, delivery: { exportTimeoutMillis: 20_000 } }`,
  'an exporter of an SDK that never calls back': () =>
    `fromLogRecordExporter({ export() {}, shutdown: async () => {} })`,
  'retry() around an exporter that never answers': () => `retry(${own('new Promise(() => {})')})`,
  'retry() around an exporter that fails': () => `retry(${own(`{ status: 'retryable', accepted: 0 }`)})`,
  'fetchExporter() that is refused': () => `fetchExporter({ url: ${toRefused()} })`,
  'fetchExporter() whose headers never come': () =>
    `fetchExporter({ url: ${toRefused()}, headers: () => new Promise(() => {}) })`,
  'otlpExporter() that gets no answer': () => `otlpExporter({ url: ${toSilent()} })`,
  'otlpExporter() that is refused': () => `otlpExporter({ url: ${toRefused()} })`,
  'otlpExporter() that gets no connection': () => `otlpExporter({ url: ${urlOf(hole.port)}, scheduledDelayMillis: 1 })`,
  'otlpExporter() with an agent that gets no answer': () =>
    `otlpExporter({ url: ${toSilent()}, agent: new http.Agent() })`,
  'otlpExporter() whose headers never come': () =>
    `otlpExporter({ url: ${toSilent()}, headers: () => new Promise(() => {}) })`,
  'a spool in front of otlpExporter() that gets no answer': () =>
    `spool(otlpExporter({ url: ${toSilent()} }), { directory: mkdtempSync(join(tmpdir(), 'sluice-exit-')), maxBytes: 1e7 })`,
}

const pending = `resourceFromAttributes({ 'service.name': 'shop', x: new Promise(() => {}) })`
const provider = (resource: string) => (exporter: string) =>
  `
  owner = createLoggerProvider({ exporter: ${exporter}, ${resource} ...options })
  owner.getLogger('a').emit({ body: 'x' })`
const processor = (resource: string) => (exporter: string) =>
  `
  owner = new PipelineLogRecordProcessor({ exporter: ${exporter}, ...options })
  new LoggerProvider({ ${resource} processors: [owner] }).getLogger('a').emit({ body: 'x' })`

/** The code that logs one record to an exporter. */
const owners: Readonly<Record<string, (exporter: string) => string>> = {
  'a logger': (exporter) => `owner = createLogger({ exporter: ${exporter}, ...options }); owner.info('x')`,
  'a provider': provider(''),
  'a provider whose resource is pending': provider(`resource: ${pending},`),
  'a processor': processor(''),
  'a processor of records whose resource is pending': processor(`resource: ${pending},`),
  'an EncodingLogRecordExporter behind a simple processor': (exporter) => `
    owner = new EncodingLogRecordExporter({ exporter: ${exporter}, ...options })
    new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter: owner })] }).getLogger('a').emit({ body: 'x' })`,
}

function program(owner: string, rest: string): string {
  return `
    import http from 'node:http'
    import { mkdtempSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import { resourceFromAttributes } from '@opentelemetry/resources'
    import { BatchLogRecordProcessor, LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
    ${importOfBuild('{ createLogger }', 'sluice')}
    ${importOfBuild('{ fetchExporter }', 'sluice/core')}
    ${importOfBuild('{ fdExporter, otlpExporter, retry, spool }', 'sluice/exporters')}
    ${importOfBuild('{ createLoggerProvider, EncodingLogRecordExporter, fromLogRecordExporter, PipelineLogRecordProcessor }', 'sluice/otel')}
    const options = { exitTimeoutMillis: ${exitTimeoutMillis}, onDiagnostic() {} }
    let owner
    const start = performance.now()
    ${owner}
    // After the listener of the logger, which counts lost records.
    process.on('exit', () => {
      const [{ written, unknown, queued, dropped }] = owner.stats().exporters
      console.log(JSON.stringify({ held: performance.now() - start, written, unknown, queued, dropped: dropped.total }))
    })
    ${rest}`
}

const ends = { 'at once': '', 'after its export has begun': `setTimeout(() => {}, ${lateMillis})` }
const cases = Object.keys(owners).flatMap((owner) =>
  Object.keys(exporters).flatMap((exporter) =>
    (Object.keys(ends) as (keyof typeof ends)[]).map((end) => [owner, exporter, end] as const),
  ),
)

describe('a natural exit is bounded by exitTimeoutMillis', () => {
  const ended = new Map<string, ChildResult>()
  beforeAll(async () => {
    await inParallel(
      4,
      cases.map((names) => async () => {
        const [owner, exporter, end] = names
        const text = program(owners[owner]!(exporters[exporter]!()), ends[end])
        ended.set(names.join(), await runModule(text))
      }),
    )
  }, 900_000)

  test.each(cases)('the exit with %s and %s is bounded when the process ends %s', (...names) => {
    const { code, stdout, stderr } = ended.get(names.join())!
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { held, written, unknown, queued, dropped } = JSON.parse(stdout)
    expect(held).toBeLessThan(exitTimeoutMillis + graceMillis)
    expect({ total: written + unknown + dropped, queued }).toEqual({ total: 1, queued: 0 })
  })
})

const record = `{ hrTime: [1, 0], hrTimeObserved: [1, 0], body: 'x', attributes: {}, resource: { attributes: {} },
  instrumentationScope: { name: 'a' }, droppedAttributesCount: 0 }`
const encoding = (exporter: string): string => `
  owner = new EncodingLogRecordExporter({ exporter: ${exporter}, ...options })`

describe('a program that awaits the callback of EncodingLogRecordExporter', () => {
  test.each(Object.keys(exporters).filter((name) => !name.startsWith('a spool')))(
    'EncodingLogRecordExporter calls back within exitTimeoutMillis, and the program continues, with %s',
    async (name) => {
      const rest = `
        const { code, error } = await new Promise((resolve) => owner.export([${record}], resolve))
        console.error(code, error.message)
        setTimeout(() => { console.error('done'); process.exitCode = 3 }, ${exitTimeoutMillis * 2})`
      const { code, stderr, elapsed } = await runModule(program(encoding(exporters[name]!()), rest))
      expect({ code, stderr }).toEqual({ code: 3, stderr: '1 of 1 record, 1 is still queued\ndone\n' })
      expect(elapsed).toBeLessThan(exitTimeoutMillis * 3 + graceMillis)
    },
  )

  test('the work of the callback of EncodingLogRecordExporter completes before the exit', async () => {
    const slow = own(`new Promise((resolve) => setTimeout(() => resolve({ status: 'accepted' }), 100).unref())`)
    const rest = `
      owner.export([${record}], ({ code }) => setTimeout(() => console.error('code', code), ${exitTimeoutMillis * 2}))`
    const { code, stdout, stderr } = await runModule(program(encoding(slow), rest))
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'code 0\n' })
    expect(JSON.parse(stdout)).toMatchObject({ written: 1 })
  })

  test('EncodingLogRecordExporter calls back after timeoutMillis with the official batch processor', async () => {
    const exporter = encoding(own('new Promise(() => {})')).replace('...options', 'timeoutMillis: 300, ...options')
    const rest = `
      const batch = new BatchLogRecordProcessor({ exporter: owner, scheduledDelayMillis: 1 })
      new LoggerProvider({ processors: [batch] }).getLogger('a').emit({ body: 'x' })
      setTimeout(() => {}, 100)`
    const { code, stdout, elapsed } = await runModule(program(exporter, rest))
    expect(code).toBe(0)
    expect(elapsed).toBeLessThan(exitTimeoutMillis * 2 + graceMillis)
    expect(JSON.parse(stdout)).toMatchObject({ unknown: 1, queued: 0 })
  })

  test('EncodingLogRecordExporter with handleExit: false keeps the process alive until timeoutMillis', async () => {
    const exporter = encoding(own('new Promise(() => {})')).replace(
      '...options',
      'handleExit: false, timeoutMillis: 700, ...options',
    )
    const rest = `owner.export([${record}], ({ error }) => console.error(error.message))`
    const { stderr } = await runModule(program(exporter, rest))
    expect(stderr).toBe('of 1 record, 1 is still queued\n')
  })
})

describe('slow connections', () => {
  test('a connection slower than half of exitTimeoutMillis is awaited while the program runs', async () => {
    const slow = await blackHole(700)
    try {
      const exporter = `otlpExporter({ url: ${urlOf(slow.port)}, scheduledDelayMillis: 1 })`
      const owner = owners['a logger']!(exporter).replace('...options', 'exitTimeoutMillis: 300')
      // The operating system retries after 1 s and after 3 s.
      const { stdout, stderr } = await runModule(program(owner, 'setTimeout(() => {}, 4_500)'))
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toMatchObject({ written: 1, dropped: 0 })
    } finally {
      slow.close()
    }
  })
})

const core = (url: string): string => `
  ${importOfBuild('{ createLogger as createCoreLogger }', 'sluice/core')}
  owner = createCoreLogger({ exporter: fetchExporter({ url: ${url} }), onDiagnostic: ({ message }) => console.error(message) })
  owner.info('x')`

describe('a process with a logger of sluice/core', () => {
  test('a process with a logger of sluice/core sends its queue before it exits', async () => {
    const collector = await fakeCollector()
    const { code, stdout, stderr } = await runModule(program(core(`'${collector.url}'`), ''))
    expect({ code, stderr, sent: collector.received.length }).toEqual({ code: 0, stderr: '', sent: 1 })
    expect(JSON.parse(stdout)).toMatchObject({ written: 1 })
    await collector.close()
  })

  test('a process with a logger of sluice/core exits after one refused attempt', async () => {
    const { code, stdout, stderr } = await runModule(program(core(toRefused()), ''))
    expect(code).toBe(0)
    expect(stderr).toMatch(/^otlp:\S+ did not respond \(ECONNREFUSED\)\n$/)
    expect(JSON.parse(stdout)).toMatchObject({ written: 0, queued: 1 })
  })

  test('a logger of sluice/core retries while a flush is pending', async () => {
    const collector = await fakeCollector()
    collector.respondNext(status(503))
    const { stdout } = await runModule(
      program(core(`'${collector.url}'`), 'await owner.flush({ timeoutMillis: 5_000 })'),
    )
    expect(JSON.parse(stdout)).toMatchObject({ written: 1 })
    await collector.close()
  })
})
