import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  fakeCollector,
  silence,
  status,
  stopListening,
  taken,
  type Answer,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { tcpProxy } from '../../support/processes/tcp-proxy.ts'
import { die as run, heldSince, root, type Death, type ExitPlan } from './exit-runs.ts'
import { numbers } from './otlp-logger.ts'

/** How long a process may take to end beyond what it was given, on a machine that has other things to do, ms. */
const graceMillis = 1_000

/** From Node 25 on --permission forbids the network as well. */
const networkAllowed = process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []

let collector: FakeCollector

beforeEach(async () => {
  collector = await fakeCollector()
})
afterEach(() => collector.close())

function die(given: Partial<ExitPlan> & Pick<ExitPlan, 'way'>, ...nodeArgs: readonly string[]): Promise<Death> {
  return run({ url: collector.url, ...given }, nodeArgs)
}

const after =
  (millis: number): Answer =>
  (response, request) => {
    setTimeout(() => taken(response, request), millis)
  }

describe('what waits when the process ends is sent by a worker', () => {
  test.each([
    ['end', { code: 0, signal: null }],
    ['exit', { code: 3, signal: null }],
    ['throw', { code: 1, signal: null }],
  ] as const)('%s: every record arrives once, in order, and the process ends as it would have', async (way, end) => {
    const death = await die({ way, exporter: { compression: 'gzip' } })
    expect(collector.sequence).toEqual(numbers(1_000))
    expect(death).toMatchObject(end)
    expect(death.stderr).not.toContain('SLUICE')
    expect(death.ledger).toMatchObject({ written: 1_000, queued: 0, maybeDuplicated: 0 })
  })

  test('SIGTERM: every record arrives, and the process ends by it', async () => {
    const { signal, stderr } = await die({ way: 'SIGTERM' })
    // The signal comes in a later turn: a request may be on its way by then, and begins again.
    expect([...new Set(collector.sequence)]).toEqual(numbers(1_000))
    expect(signal).toBe('SIGTERM')
    expect(stderr).not.toContain('SLUICE')
  })

  test('as JSON as well', async () => {
    await die({ way: 'exit', exporter: { protocol: 'http/json' } })
    expect(collector.sequence).toEqual(numbers(1_000))
  })

  test.each(['dist/esm', 'dist/cjs'])('from %s as from the sources', async (folder) => {
    const { stderr } = await die({ way: 'exit', from: `${root}${folder}` })
    expect(stderr).not.toContain('SLUICE')
    expect(collector.sequence).toEqual(numbers(1_000))
  })

  test('a batch that waits for its next try has one more', async () => {
    collector.answerNext(status(503))
    const { ledger } = await die({ way: 'exit', afterMillis: 300, exporter: { scheduledDelayMillis: 1 } })
    expect(collector.sequence).toEqual([...numbers(512), ...numbers(1_000)])
    expect(ledger).toMatchObject({ written: 1_000, maybeDuplicated: 0 })
  })

  test('a request that is on its way begins again, and may have arrived twice', async () => {
    collector.answerNext(silence)
    const { ledger } = await die({ way: 'exit', afterMillis: 300, exporter: { scheduledDelayMillis: 1 } })
    expect(collector.sequence).toEqual([...numbers(512), ...numbers(1_000)])
    expect(ledger).toMatchObject({ written: 1_000, maybeDuplicated: 512 })
  })

  test('but a process that comes to its end by itself waits for an answer that is on its way', async () => {
    collector.answerNext(after(400))
    const { ledger } = await die({ way: 'end', records: 10, afterMillis: 200, exporter: { scheduledDelayMillis: 1 } })
    expect(collector.sequence).toEqual(numbers(10))
    expect(ledger).toMatchObject({ written: 10, maybeDuplicated: 0 })
  })
})

describe('a process that ends by itself stays alive until all is sent where no worker can', () => {
  const few = { way: 'end', records: 10 } as const
  /** Nothing but its own line stands on stderr. */
  const inPeace = {
    code: 0,
    stderr: expect.stringMatching(/^dying \d+\n$/),
    ledger: { written: 10, queued: 0, dropped: { total: 0 }, maybeDuplicated: 0 },
  }

  test('with an agent', async () => {
    expect(await die({ ...few, agent: true })).toMatchObject(inPeace)
    expect(collector.sequence).toEqual(numbers(10))
  })

  test('in a bundle, which has left the file of the worker behind', async () => {
    const directory = temporaryDirectory()
    cpSync(new URL(`${root}dist`), directory.path('dist'), { recursive: true })
    cpSync(new URL(`${root}package.json`), directory.path('package.json'))
    rmSync(directory.path('dist/otlp-exit-worker.mjs'))
    const death = await die({ ...few, from: pathToFileURL(directory.path('dist/esm')).href })
    directory.remove()
    expect(death).toMatchObject(inPeace)
    expect(collector.sequence).toEqual(numbers(10))
  })

  test('where threads are forbidden', async () => {
    expect(await die(few, '--permission', '--allow-fs-read=*', '--allow-fs-write=*', ...networkAllowed)).toMatchObject(
      inPeace,
    )
    expect(collector.sequence).toEqual(numbers(10))
  })

  test('before the first answer of a function for headers', async () => {
    expect(await die({ ...few, headers: 'slow' })).toMatchObject(inPeace)
    expect(collector.sequence).toEqual(numbers(10))
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t1'])
  })

  test('but no longer than exitTimeoutMillis for a function that never answers', async () => {
    const death = await die({ ...few, headers: 'never', logger: { exitTimeoutMillis: 500 } })
    expect(heldSince(death)).toBeGreaterThan(490)
    expect(heldSince(death)).toBeLessThan(500 + graceMillis)
    expect(death.ledger).toMatchObject({ dropped: { byReason: { exit_deadline: 10 } } })
  })
})

describe('what cannot be sent then is counted, and the process ends in time', () => {
  const logger = { exitTimeoutMillis: 500 }
  /** A batch was full, and so the exporter had it: what became of it nobody can say any more. */
  const allLost = { written: 0, unknown: 512, dropped: { total: 488, byReason: { exit_deadline: 488 } } }

  test('nobody listens', async () => {
    const proxy = await tcpProxy(0)
    await proxy.refuse()
    const death = await die({ way: 'exit', url: proxy.url, logger })
    expect(death.code).toBe(3)
    expect(heldSince(death)).toBeLessThan(500 + graceMillis)
    expect(death.ledger).toMatchObject({ written: 0, unknown: 0, dropped: { byReason: { exit_deadline: 1_000 } } })
    expect(death.stderr).toMatch(/SLUICE_OTLP_UNAVAILABLE: .* gave no answer \(ECONNREFUSED\)/)
    expect(death.stderr).toMatch(/SLUICE_RECORDS_LOST: 1000 records could not be written/)
  })

  test('nobody answers: what was sent is unknown, what was not is lost', async () => {
    collector.answerAlways(silence)
    const death = await die({ way: 'exit', logger })
    expect(heldSince(death)).toBeLessThan(500 + graceMillis)
    expect(death.ledger).toMatchObject({ unknown: 512, dropped: { total: 488, byReason: { exit_deadline: 488 } } })
    expect(death.stderr).toContain('SLUICE_RECORDS_LOST: 1000 records')
  })

  test.each([
    ['nobody listens any more', stopListening],
    ['the server is too busy', silence],
  ])('what was sent and begins again may have arrived before, and is unknown when %s', async (_, first) => {
    collector.answerNext(first)
    collector.answerAlways(status(503))
    const death = await die({ way: 'exit', afterMillis: 300, logger, exporter: { scheduledDelayMillis: 1 } })
    expect(death.ledger).toMatchObject({ unknown: 512, dropped: { total: 488, byReason: { exit_deadline: 488 } } })
  })

  test('a server that refuses', async () => {
    collector.answerAlways(status(401))
    const { ledger } = await die({ way: 'exit', logger: { ...logger, exitTimeoutMillis: 5_000 } })
    expect(ledger).toMatchObject({ dropped: { total: 1_000, byReason: { rejected: 1_000 } } })
  })

  test('an agent of the user’s own is not passed by', async () => {
    const { ledger, stderr } = await die({ way: 'exit', agent: true, logger })
    expect(collector.connected).toBe(0)
    expect(ledger).toMatchObject(allLost)
    expect(stderr).toMatch(/SLUICE_RECORDS_LOST: 1000 records/)
  })

  test('threads are forbidden', async () => {
    const { ledger } = await die({ way: 'exit', logger }, '--permission', '--allow-fs-read=*', '--allow-fs-write=*')
    expect(ledger).toMatchObject(allLost)
  })
})

describe('headers of a function', () => {
  test('that returns them are asked for at the end', async () => {
    await die({ way: 'exit', headers: 'sync' })
    // t1 was for a request that the event loop did not get to.
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t2', 't3'])
    expect(collector.connected).toBe(1)
  })

  test('that promises them are those of the last time', async () => {
    collector.answerNext(status(503))
    const { ledger } = await die({
      way: 'exit',
      headers: 'async',
      afterMillis: 300,
      exporter: { scheduledDelayMillis: 1 },
    })
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t1', 't1', 't1'])
    expect(ledger).toMatchObject({ written: 1_000 })
  })

  test('that never came are not made up: nothing is sent without them', async () => {
    const { ledger, stderr } = await die({ way: 'exit', headers: 'never' })
    expect(collector.connected).toBe(0)
    expect(ledger).toMatchObject({ dropped: { byReason: { exit_deadline: 1_000 } } })
    expect(stderr).toContain('headers() has no answer at once')
  })
})

test('the worker loads nothing that the program was told to load first', async () => {
  const directory = temporaryDirectory()
  const preload = directory.path('preload.mjs')
  writeFileSync(preload, `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) process.exit(9)`)
  const environment = { NODE_OPTIONS: `--import ${preload}` }
  await run({ way: 'exit', url: collector.url }, ['--import', preload], environment)
  directory.remove()
  expect(collector.sequence).toEqual(numbers(1_000))
})

test('fatal has sent all that waits before it returns: the process is killed in the next line', async () => {
  const { signal } = await die({ way: 'fatal', records: 700 })
  expect(signal).toBe('SIGKILL')
  expect(collector.sequence).toEqual(numbers(701))
})

test('flushSync sends, the logger goes on, and its worker does not keep the process alive', async () => {
  const { stdout, code, ledger, elapsed } = await die({ way: 'flushSync', records: 600 })
  expect(JSON.parse(stdout.split('\n')[0]!)).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(code).toBe(0)
  expect(collector.sequence).toEqual(numbers(601))
  expect(ledger).toMatchObject({ written: 601 })
  expect(elapsed).toBeLessThan(4_000)
})

test('a call that blocks while the queue is full waits for a slow server, and nothing comes twice', async () => {
  collector.answerAlways(after(150))
  const { ledger } = await die({
    way: 'exit',
    records: 300,
    logger: { exitTimeoutMillis: 2_000 },
    exporter: { onFull: 'block', maxQueueSize: 100, maxExportBatchSize: 50 },
  })
  expect(collector.sequence).toEqual(numbers(300))
  expect(ledger).toMatchObject({ written: 300, maybeDuplicated: 0, dropped: { total: 0 } })
})
