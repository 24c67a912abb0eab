import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runModule, importOf } from '../../support/processes/child.ts'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import { fakeCollector, status, accept, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, folder, numbers, spoolLogger, takes } from './spool-logger.ts'

let server: FakeCollector
let directory: string
const children = new Set<FaultChild>()
beforeEach(async () => {
  server = await fakeCollector()
  server.respondAlways(status(503))
  directory = folder()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...children].map(({ ended }) => ended))
  children.clear()
  await closeSpools()
  await server.close()
})

async function start(): Promise<FaultChild> {
  const child = await startFaultChild({
    subject: 'spool',
    run: 'owners',
    sink: { to: 'file', path: directory },
    options: { url: server.url },
  })
  children.add(child)
  void child.ended.then(() => children.delete(child))
  return child
}

const owners = (): string[] => fs.readdirSync(directory).filter((name) => name.startsWith('owner-'))
const bySeq = (a: number, b: number): number => a - b

describe('processes that share a directory', () => {
  test('two processes have separate files, and neither uses those of the other while it runs', async () => {
    const other = await start()
    await other.request({ do: 'log', count: 10 })
    await other.request({ do: 'flush' })
    const mine = spoolLogger({ url: server.url, directory, otlp: { retry: { initialDelayMillis: 60_000 } } })
    mine.logAll(10)
    await mine.log.flush()
    expect(mine.stats()).toMatchObject({ spooled: 10, adopted: 0, waiting: 10 })
    expect(owners()).toHaveLength(2)
    expect(owners().filter((name) => name.startsWith(`owner-${other.pid}-`))).toHaveLength(1)
  })

  test('the files of a killed process are claimed immediately by exactly one other', async () => {
    const other = await start()
    await other.request({ do: 'log', count: 10 })
    await other.request({ do: 'flush' })
    other.kill('SIGKILL')
    await other.ended
    const arrived = takes(server)
    const all = [1, 2, 3].map(() => spoolLogger({ url: server.url, directory }))
    await waitUntil(() => all.some(({ stats }) => stats().replayed === 10))
    expect(all.map(({ stats }) => stats().adopted).toSorted(bySeq)).toEqual([0, 0, 10])
    expect(arrived).toEqual(numbers(10))
  })
})

test.each([1, 5, 7])(
  'the reservations of two spools are within the limit of their directory if that is a multiple of 8 bytes plus %i',
  async (extraBytes) => {
    const retry = { initialDelayMillis: 60_000, maxDelayMillis: 60_000, maxElapsedMillis: 1 }
    const plan = { url: server.url, directory, maxDirectoryBytes: 2 * 1024 * 1024 + extraBytes, otlp: { retry } }
    for (const { log, logAll } of [spoolLogger(plan), spoolLogger(plan)]) {
      for (let batch = 0; batch < 30; batch++) {
        logAll(100, { pad: 'x'.repeat(1_000) })
        await log.flush()
      }
    }
    const reservations = owners().map((name) =>
      /^ *(\d+) +\d+\n$/.exec(fs.readFileSync(join(directory, name, 'alive'), 'utf8')),
    )
    const reservedBytes = reservations.reduce((sum, reservation) => sum + Number(reservation?.[1]), 0)
    expect(reservedBytes).toBeGreaterThan(1024 * 1024)
    expect(reservedBytes).toBeLessThanOrEqual((plan.maxDirectoryBytes * 7) / 8)
  },
)

describe('owners in another container, whose process ID is unknown', () => {
  const place = 'owner-1-1-00000000-0123456789ab'

  /** Creates the files of another owner with ten records and a heartbeat of the given age. */
  async function elsewhere(silentMillis: number): Promise<void> {
    const harness = spoolLogger({ url: server.url, directory, otlp: { retry: { initialDelayMillis: 60_000 } } })
    harness.logAll(10)
    await harness.log.shutdown()
    const [free] = fs.readdirSync(directory)
    fs.renameSync(join(directory, free!), join(directory, place))
    const then = new Date(Date.now() - silentMillis)
    fs.writeFileSync(join(directory, place, 'alive'), '\n')
    fs.utimesSync(join(directory, place, 'alive'), then, then)
  }

  test('files of an owner with a recent heartbeat are not claimed', async () => {
    await elsewhere(30_000)
    expect(spoolLogger({ url: server.url, directory }).stats().adopted).toBe(0)
    expect(fs.readdirSync(directory)).toContain(place)
  })

  test('files of an owner are claimed after a minute without a heartbeat', async () => {
    await elsewhere(61_000)
    expect(spoolLogger({ url: server.url, directory }).stats().adopted).toBe(10)
    expect(fs.readdirSync(directory)).not.toContain(place)
  })

  test('a running owner whose files were claimed continues in a new directory and loses no written record', async () => {
    const owner = spoolLogger({
      url: server.url,
      directory,
      otlp: { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } },
    })
    owner.logAll(10)
    await owner.log.flush()
    const [ownerName] = owners()
    const then = new Date(Date.now() - 61_000)
    fs.utimesSync(join(directory, ownerName!, 'alive'), then, then)
    const arrived = takes(server)
    const claimer = spoolLogger({ url: server.url, directory })
    await waitUntil(() => claimer.stats().replayed === 10)
    owner.logAll(10)
    await owner.log.flush()
    expect(owner.stats()).toMatchObject({ spooled: 20, missing: 10, waiting: 10 })
    await owner.log.shutdown()
    const last = spoolLogger({ url: server.url, directory })
    await waitUntil(() => last.stats().replayed === 10)
    expect(arrived).toEqual(numbers(20))
  })
})

test('orphaned files that do not fit into maxBytes are not claimed until there is space', async () => {
  const long = { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } }
  for (let round = 0; round < 2; round++) {
    const left = spoolLogger({ url: server.url, directory: `${directory}/${round}`, otlp: long })
    left.logAll(600, { pad: 'x'.repeat(1_000) })
    await left.log.shutdown()
    fs.cpSync(`${directory}/${round}`, directory, { recursive: true, preserveTimestamps: true })
  }
  const next = spoolLogger({ url: server.url, directory, maxBytes: 1024 * 1024, otlp: long })
  expect(next.stats()).toMatchObject({ spooled: 600, adopted: 600, expired: 0 })
  expect(fs.readdirSync(directory).filter((name) => name.startsWith('free-'))).toHaveLength(1)
})

test('unrelated files and directories in the spool directory are not changed', async () => {
  fs.writeFileSync(join(directory, 'notes.txt'), 'mine')
  fs.mkdirSync(join(directory, 'owner-of-something'))
  fs.mkdirSync(join(directory, 'free-0123456789ab'))
  fs.writeFileSync(join(directory, 'free-0123456789ab/mine.txt'), 'mine')
  const harness = spoolLogger({ url: server.url, directory })
  harness.logAll(1)
  await harness.log.shutdown()
  expect(fs.readdirSync(directory)).toEqual(expect.arrayContaining(['notes.txt', 'owner-of-something']))
  expect(fs.globSync('*/mine.txt', { cwd: directory })).toHaveLength(1)
  expect(harness.codes()).toEqual(['SLUICE_OTLP_UNAVAILABLE'])
})

const program = (end: string): string =>
  importOf('{ createLogger }', 'src/entries/index.ts') +
  importOf('{ otlpExporter, spool }', 'src/entries/exporters.ts') +
  `const exporter = spool(otlpExporter({ url: ${JSON.stringify(server.url)} }), { directory: ${JSON.stringify(directory)}, maxBytes: 2 ** 24 })
const log = createLogger({ exporter })
for (let seq = 0; seq < 2_000; seq++) log.info('burst', { seq })
process.on('exit', () => console.log(JSON.stringify(log.stats().exporters[0])))
const dieAt = performance.now()
process.on('exit', () => console.error('took ' + (performance.now() - dieAt)))
${end}`

describe('process exit with a spool', () => {
  // Fault rows: 15, 16, 17
  test.each([
    ['process.exit', 'process.exit(3)', { code: 3, signal: null }],
    ['normal exit', '', { code: 0, signal: null }],
    ['an exception', 'setImmediate(() => { throw new Error() })', { code: 1, signal: null }],
    [
      'SIGTERM',
      'setInterval(() => {}, 1_000); process.kill(process.pid, "SIGTERM")',
      { code: null, signal: 'SIGTERM' },
    ],
  ])('%s spools all queued records quickly when the server does not respond', async (way, end, how) => {
    server.respondAlways(() => {})
    const { stdout, stderr, ...ended } = await runModule(program(end))
    expect(ended).toMatchObject(how)
    // A signal that is raised again ends the process without an exit event.
    const deliveryStats = way === 'SIGTERM' ? { written: 2_000 } : (JSON.parse(stdout) as { written: number })
    expect(deliveryStats).toMatchObject({ written: 2_000 })
    // On normal exit the process first waits for the response in flight.
    const took = way === 'process.exit' ? Number(/took (.*)/.exec(stderr)![1]) : 0
    expect(took).toBeLessThan(1_000)
    server.respondAlways(accept)
    const next = spoolLogger({ url: server.url, directory })
    await waitUntil(() => next.stats().segments === 0)
    expect(next.stats()).toMatchObject({ adopted: 2_000, replayed: 2_000, corrupt: 0 })
    expect(new Set(server.sequence)).toEqual(new Set(numbers(2_000)))
  })

  test('spooled records do not keep a process alive', async () => {
    const left = spoolLogger({ url: server.url, directory, otlp: { maxExportBatchSize: 10 } })
    left.logAll(500)
    await left.log.shutdown()
    server.respondAlways((response) => void setTimeout(() => response.writeHead(200).end(), 400))
    const { code, elapsed } = await runModule(
      importOf('{ createLogger }', 'src/entries/index.ts') +
        importOf('{ otlpExporter, spool }', 'src/entries/exporters.ts') +
        `createLogger({ exporter: spool(otlpExporter({ url: ${JSON.stringify(server.url)} }), { directory: ${JSON.stringify(directory)}, maxBytes: 2 ** 24 }) })`,
    )
    expect(code).toBe(0)
    // All of them would take 20 s.
    expect(elapsed).toBeLessThan(10_000)
    server.respondAlways(accept)
    const next = spoolLogger({ url: server.url, directory })
    await waitUntil(() => next.stats().segments === 0)
    expect(new Set(server.sequence)).toEqual(new Set(numbers(500)))
  })

  // Fault rows: 20
  test('each thread has separate files, and spools its queued records when it ends', async () => {
    const worker = program('process.exit(0)').replaceAll('2_000', '500')
    const { code, stderr } = await runModule(
      `import { Worker } from 'node:worker_threads'
const text = ${JSON.stringify(worker)}
const ends = [1, 2].map(() => new Promise((resolve) => new Worker(new URL('data:text/javascript,' + encodeURIComponent(text))).once('exit', resolve)))
await Promise.all(ends)`,
    )
    expect({ code, stderr: stderr.replaceAll(/took .*\n/g, '') }).toEqual({ code: 0, stderr: expect.any(String) })
    expect(owners()).toHaveLength(2)
    server.respondAlways(accept)
    const next = spoolLogger({ url: server.url, directory })
    await waitUntil(() => next.stats().segments === 0)
    expect(next.stats()).toMatchObject({ adopted: 1_000, replayed: 1_000 })
  })
})
