import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runModule, importOf } from '../../support/processes/child.ts'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import { fakeCollector, status, taken, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { until } from '../../support/until.ts'
import { closeSpools, folder, numbers, spoolLogger, takes } from './spool-logger.ts'

let server: FakeCollector
let directory: string
const children = new Set<FaultChild>()
beforeEach(async () => {
  server = await fakeCollector()
  server.answerAlways(status(503))
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

describe('two processes on one directory', () => {
  test('have files of their own, and none touches those of the other while it lives', async () => {
    const other = await start()
    await other.ask({ do: 'log', count: 10 })
    await other.ask({ do: 'flush' })
    const mine = spoolLogger({ url: server.url, directory, otlp: { retry: { initialDelayMillis: 60_000 } } })
    mine.logAll(10)
    await mine.log.flush()
    expect(mine.stats()).toMatchObject({ spooled: 10, adopted: 0, waiting: 10 })
    expect(owners()).toHaveLength(2)
    expect(owners().filter((name) => name.startsWith(`owner-${other.pid}-`))).toHaveLength(1)
  })

  test('the files of one that was killed are taken over by the next one at once, by one only', async () => {
    const other = await start()
    await other.ask({ do: 'log', count: 10 })
    await other.ask({ do: 'flush' })
    other.kill('SIGKILL')
    await other.ended
    const arrived = takes(server)
    const all = [1, 2, 3].map(() => spoolLogger({ url: server.url, directory }))
    await until(() => all.some(({ stats }) => stats().replayed === 10))
    expect(all.map(({ stats }) => stats().adopted).toSorted(bySeq)).toEqual([0, 0, 10])
    expect(arrived).toEqual(numbers(10))
  })
})

describe('an owner of another system or container, whose process id says nothing here', () => {
  const place = 'owner-1-1-00000000-0123456789ab'

  /** Files of ten records as somebody else has left them, who showed himself so long ago. */
  async function elsewhere(silentMillis: number): Promise<void> {
    const made = spoolLogger({ url: server.url, directory, otlp: { retry: { initialDelayMillis: 60_000 } } })
    made.logAll(10)
    await made.log.shutdown()
    const [free] = fs.readdirSync(directory)
    fs.renameSync(join(directory, free!), join(directory, place))
    const then = new Date(Date.now() - silentMillis)
    fs.writeFileSync(join(directory, place, 'alive'), '\n')
    fs.utimesSync(join(directory, place, 'alive'), then, then)
  }

  test('is left alone while it shows that it lives', async () => {
    await elsewhere(30_000)
    expect(spoolLogger({ url: server.url, directory }).stats().adopted).toBe(0)
    expect(fs.readdirSync(directory)).toContain(place)
  })

  test('is taken over when it has shown nothing for a minute', async () => {
    await elsewhere(61_000)
    expect(spoolLogger({ url: server.url, directory }).stats().adopted).toBe(10)
    expect(fs.readdirSync(directory)).not.toContain(place)
  })

  test('that was taken for dead and lives goes on elsewhere, and loses nothing that it says it has written', async () => {
    const victim = spoolLogger({
      url: server.url,
      directory,
      otlp: { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } },
    })
    victim.logAll(10)
    await victim.log.flush()
    const [own] = owners()
    const then = new Date(Date.now() - 61_000)
    fs.utimesSync(join(directory, own!, 'alive'), then, then)
    const arrived = takes(server)
    const thief = spoolLogger({ url: server.url, directory })
    await until(() => thief.stats().replayed === 10)
    victim.logAll(10)
    await victim.log.flush()
    expect(victim.stats()).toMatchObject({ spooled: 20, missing: 10, waiting: 10 })
    await victim.log.shutdown()
    const last = spoolLogger({ url: server.url, directory })
    await until(() => last.stats().replayed === 10)
    expect(arrived).toEqual(numbers(20))
  })
})

test('what does not fit into maxBytes beside what waits is left where it is, until there is room', async () => {
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

test('other files and directories in the directory stay as they are', async () => {
  fs.writeFileSync(join(directory, 'notes.txt'), 'mine')
  fs.mkdirSync(join(directory, 'owner-of-something'))
  fs.mkdirSync(join(directory, 'free-0123456789ab'))
  fs.writeFileSync(join(directory, 'free-0123456789ab/mine.txt'), 'mine')
  const made = spoolLogger({ url: server.url, directory })
  made.logAll(1)
  await made.log.shutdown()
  expect(fs.readdirSync(directory)).toEqual(expect.arrayContaining(['notes.txt', 'owner-of-something']))
  expect(fs.globSync('*/mine.txt', { cwd: directory })).toHaveLength(1)
  expect(made.codes()).toEqual(['SLUICE_OTLP_UNAVAILABLE'])
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

describe('at the end of a process', () => {
  test.each([
    ['process.exit', 'process.exit(3)', { code: 3, signal: null }],
    ['its natural end', '', { code: 0, signal: null }],
    ['an exception', 'setImmediate(() => { throw new Error() })', { code: 1, signal: null }],
    [
      'SIGTERM',
      'setInterval(() => {}, 1_000); process.kill(process.pid, "SIGTERM")',
      { code: null, signal: 'SIGTERM' },
    ],
  ])('%s puts what waits into files, fast, whoever does not answer (rows 15 to 17)', async (way, end, how) => {
    server.answerAlways(() => {})
    const { stdout, stderr, ...ended } = await runModule(program(end))
    expect(ended).toMatchObject(how)
    // A signal that is raised again ends it without `exit`.
    const ledger = way === 'SIGTERM' ? { written: 2_000 } : (JSON.parse(stdout) as { written: number })
    expect(ledger).toMatchObject({ written: 2_000 })
    // At its natural end it first waits for the answer that is on its way.
    const took = way === 'process.exit' ? Number(/took (.*)/.exec(stderr)![1]) : 0
    expect(took).toBeLessThan(1_000)
    server.answerAlways(taken)
    const next = spoolLogger({ url: server.url, directory })
    await until(() => next.stats().segments === 0)
    expect(next.stats()).toMatchObject({ adopted: 2_000, replayed: 2_000, corrupt: 0 })
    expect(new Set(server.sequence)).toEqual(new Set(numbers(2_000)))
  })

  test('a backlog that waits, and one that is replayed, keeps no process alive', async () => {
    const left = spoolLogger({ url: server.url, directory, otlp: { maxExportBatchSize: 10 } })
    left.logAll(500)
    await left.log.shutdown()
    server.answerAlways((response) => void setTimeout(() => response.writeHead(200).end(), 400))
    const { code, elapsed } = await runModule(
      importOf('{ createLogger }', 'src/entries/index.ts') +
        importOf('{ otlpExporter, spool }', 'src/entries/exporters.ts') +
        `createLogger({ exporter: spool(otlpExporter({ url: ${JSON.stringify(server.url)} }), { directory: ${JSON.stringify(directory)}, maxBytes: 2 ** 24 }) })`,
    )
    expect(code).toBe(0)
    // All of them would take 20 s.
    expect(elapsed).toBeLessThan(10_000)
    server.answerAlways(taken)
    const next = spoolLogger({ url: server.url, directory })
    await until(() => next.stats().segments === 0)
    expect(new Set(server.sequence)).toEqual(new Set(numbers(500)))
  })

  test('each thread has files of its own, and leaves what waits when it ends (row 20)', async () => {
    const worker = program('process.exit(0)').replaceAll('2_000', '500')
    const { code, stderr } = await runModule(
      `import { Worker } from 'node:worker_threads'
const text = ${JSON.stringify(worker)}
const ends = [1, 2].map(() => new Promise((resolve) => new Worker(new URL('data:text/javascript,' + encodeURIComponent(text))).once('exit', resolve)))
await Promise.all(ends)`,
    )
    expect({ code, stderr: stderr.replaceAll(/took .*\n/g, '') }).toEqual({ code: 0, stderr: expect.any(String) })
    expect(owners()).toHaveLength(2)
    server.answerAlways(taken)
    const next = spoolLogger({ url: server.url, directory })
    await until(() => next.stats().segments === 0)
    expect(next.stats()).toMatchObject({ adopted: 1_000, replayed: 1_000 })
  })
})
