import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import {
  fakeCollector,
  neverRespond,
  status,
  stopListening,
  accept,
  type Responder,
  type FakeCollector,
} from '../../support/otlp/fake-collector.ts'
import { temporaryDirectory } from '../../support/files/pipes.ts'
import { tcpProxy } from '../../support/processes/tcp-proxy.ts'
import { die as run, heldSince, root, type Death, type ExitPlan } from './exit-runs.ts'
import { numbers } from './otlp-logger.ts'

/** The extra time that a process may take to exit on a busy machine, in ms. */
const graceMillis = 1_000

/** Since Node 25 --permission also forbids network access. */
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
  (millis: number): Responder =>
  (response, request) => {
    setTimeout(() => accept(response, request), millis)
  }

describe('records that a worker sends at process exit', () => {
  test.each([
    ['end', { code: 0, signal: null }],
    ['exit', { code: 3, signal: null }],
    ['throw', { code: 1, signal: null }],
  ] as const)(
    '%s: every record is delivered once and in order, and the process exits with its usual code',
    async (way, end) => {
      const death = await die({ way, exporter: { compression: 'gzip' } })
      expect(collector.sequence).toEqual(numbers(1_000))
      expect(death).toMatchObject(end)
      expect(death.stderr).not.toContain('SLUICE')
      expect(death.deliveryStats).toMatchObject({ written: 1_000, queued: 0, maybeDuplicated: 0 })
    },
  )

  test('every record is delivered when SIGTERM ends the process', async () => {
    const { signal, stderr } = await die({ way: 'SIGTERM' })
    // The signal arrives in a later turn: a request may be in flight by then, and is repeated.
    expect([...new Set(collector.sequence)]).toEqual(numbers(1_000))
    expect(signal).toBe('SIGTERM')
    expect(stderr).not.toContain('SLUICE')
  })

  test('the worker sends records as JSON when the protocol is http/json', async () => {
    await die({ way: 'exit', exporter: { protocol: 'http/json' } })
    expect(collector.sequence).toEqual(numbers(1_000))
  })

  test.each(['dist/esm', 'dist/cjs'])('the build in %s sends all records at process exit', async (folder) => {
    const { stderr } = await die({ way: 'exit', from: `${root}${folder}` })
    expect(stderr).not.toContain('SLUICE')
    expect(collector.sequence).toEqual(numbers(1_000))
  })

  test('a batch that is waiting for a retry is sent once more at process exit', async () => {
    collector.respondNext(status(503))
    const { deliveryStats } = await die({ way: 'exit', afterMillis: 300, exporter: { scheduledDelayMillis: 1 } })
    expect(collector.sequence).toEqual([...numbers(512), ...numbers(1_000)])
    expect(deliveryStats).toMatchObject({ written: 1_000, maybeDuplicated: 0 })
  })

  test('a request in flight at process.exit() is repeated, and its records count as maybeDuplicated', async () => {
    collector.respondNext(neverRespond)
    const { deliveryStats } = await die({ way: 'exit', afterMillis: 300, exporter: { scheduledDelayMillis: 1 } })
    expect(collector.sequence).toEqual([...numbers(512), ...numbers(1_000)])
    expect(deliveryStats).toMatchObject({ written: 1_000, maybeDuplicated: 512 })
  })

  test('a process that exits normally waits for the response of a request in flight', async () => {
    collector.respondNext(after(400))
    const { deliveryStats } = await die({
      way: 'end',
      records: 10,
      afterMillis: 200,
      exporter: { scheduledDelayMillis: 1 },
    })
    expect(collector.sequence).toEqual(numbers(10))
    expect(deliveryStats).toMatchObject({ written: 10, maybeDuplicated: 0 })
  })
})

describe('normal process exit without a worker', () => {
  const few = { way: 'end', records: 10 } as const
  /** stderr contains only the line of the program. */
  const cleanExit = {
    code: 0,
    stderr: expect.stringMatching(/^dying \d+\n$/),
    deliveryStats: { written: 10, queued: 0, dropped: { total: 0 }, maybeDuplicated: 0 },
  }

  test('a process with a custom agent stays alive until all records are sent', async () => {
    expect(await die({ ...few, agent: true })).toMatchObject(cleanExit)
    expect(collector.sequence).toEqual(numbers(10))
  })

  test('a bundle without the worker file stays alive until all records are sent', async () => {
    const directory = temporaryDirectory()
    cpSync(new URL(`${root}dist`), directory.path('dist'), { recursive: true })
    cpSync(new URL(`${root}package.json`), directory.path('package.json'))
    rmSync(directory.path('dist/otlp-exit-worker.mjs'))
    const death = await die({ ...few, from: pathToFileURL(directory.path('dist/esm')).href })
    directory.remove()
    expect(death).toMatchObject(cleanExit)
    expect(collector.sequence).toEqual(numbers(10))
  })

  test('a process without permission for threads stays alive until all records are sent', async () => {
    expect(await die(few, '--permission', '--allow-fs-read=*', '--allow-fs-write=*', ...networkAllowed)).toMatchObject(
      cleanExit,
    )
    expect(collector.sequence).toEqual(numbers(10))
  })

  test('a process stays alive until its headers function first resolves and all records are sent', async () => {
    expect(await die({ ...few, headers: 'slow' })).toMatchObject(cleanExit)
    expect(collector.sequence).toEqual(numbers(10))
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t1'])
  })

  test('a process waits at most exitTimeoutMillis for a headers function that never resolves', async () => {
    const death = await die({ ...few, headers: 'never', logger: { exitTimeoutMillis: 500 } })
    expect(heldSince(death)).toBeGreaterThan(490)
    expect(heldSince(death)).toBeLessThan(500 + graceMillis)
    expect(death.deliveryStats).toMatchObject({ dropped: { byReason: { exit_deadline: 10 } } })
  })
})

describe('records that cannot be sent at process exit', () => {
  const logger = { exitTimeoutMillis: 500 }
  /** The exporter had a full batch, whose outcome is unknown. */
  const allLost = { written: 0, unknown: 512, dropped: { total: 488, byReason: { exit_deadline: 488 } } }

  test('records count as exit_deadline when no server listens at process exit', async () => {
    const proxy = await tcpProxy(0)
    await proxy.refuse()
    const death = await die({ way: 'exit', url: proxy.url, logger })
    expect(death.code).toBe(3)
    expect(heldSince(death)).toBeLessThan(500 + graceMillis)
    expect(death.deliveryStats).toMatchObject({
      written: 0,
      unknown: 0,
      dropped: { byReason: { exit_deadline: 1_000 } },
    })
    expect(death.stderr).toMatch(/SLUICE_OTLP_UNAVAILABLE: .* did not respond \(ECONNREFUSED\)/)
    expect(death.stderr).toMatch(/SLUICE_RECORDS_LOST: 1000 records could not be written/)
  })

  test('sent records count as unknown and the others as exit_deadline when the server does not respond', async () => {
    collector.respondAlways(neverRespond)
    const death = await die({ way: 'exit', logger })
    expect(heldSince(death)).toBeLessThan(500 + graceMillis)
    expect(death.deliveryStats).toMatchObject({
      unknown: 512,
      dropped: { total: 488, byReason: { exit_deadline: 488 } },
    })
    expect(death.stderr).toContain('SLUICE_RECORDS_LOST: 1000 records')
  })

  test.each([
    ['the server stops listening', stopListening],
    ['the server responds with 503', neverRespond],
  ])('records of a repeated request count as unknown when %s', async (_, first) => {
    collector.respondNext(first)
    collector.respondAlways(status(503))
    const death = await die({ way: 'exit', afterMillis: 300, logger, exporter: { scheduledDelayMillis: 1 } })
    expect(death.deliveryStats).toMatchObject({
      unknown: 512,
      dropped: { total: 488, byReason: { exit_deadline: 488 } },
    })
  })

  test('records count as rejected when the server rejects them at process exit', async () => {
    collector.respondAlways(status(401))
    const { deliveryStats } = await die({ way: 'exit', logger: { ...logger, exitTimeoutMillis: 5_000 } })
    expect(deliveryStats).toMatchObject({ dropped: { total: 1_000, byReason: { rejected: 1_000 } } })
  })

  test('the worker does not bypass a custom agent at process exit', async () => {
    const { deliveryStats, stderr } = await die({ way: 'exit', agent: true, logger })
    expect(collector.connectionCount).toBe(0)
    expect(deliveryStats).toMatchObject(allLost)
    expect(stderr).toMatch(/SLUICE_RECORDS_LOST: 1000 records/)
  })

  test('records count as dropped or unknown when threads are forbidden', async () => {
    const { deliveryStats } = await die(
      { way: 'exit', logger },
      '--permission',
      '--allow-fs-read=*',
      '--allow-fs-write=*',
    )
    expect(deliveryStats).toMatchObject(allLost)
  })
})

describe('headers functions at process exit', () => {
  test('a synchronous headers function is called again at process exit', async () => {
    await die({ way: 'exit', headers: 'sync' })
    // t1 was for a request that the event loop did not send.
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t2', 't3'])
    expect(collector.connectionCount).toBe(1)
  })

  test('the last headers of an asynchronous function are used at process exit', async () => {
    collector.respondNext(status(503))
    const { deliveryStats } = await die({
      way: 'exit',
      headers: 'async',
      afterMillis: 300,
      exporter: { scheduledDelayMillis: 1 },
    })
    expect(collector.received.map(({ headers }) => headers['token'])).toEqual(['t1', 't1', 't1'])
    expect(deliveryStats).toMatchObject({ written: 1_000 })
  })

  test('no request is sent at process exit when an asynchronous headers function has not resolved', async () => {
    const { deliveryStats, stderr } = await die({ way: 'exit', headers: 'never' })
    expect(collector.connectionCount).toBe(0)
    expect(deliveryStats).toMatchObject({ dropped: { byReason: { exit_deadline: 1_000 } } })
    expect(stderr).toContain('headers() returned a promise, and no earlier result is available')
  })
})

test('the worker does not load the --import modules of the program', async () => {
  const directory = temporaryDirectory()
  const preload = directory.path('preload.mjs')
  writeFileSync(preload, `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) process.exit(9)`)
  const environment = { NODE_OPTIONS: `--import ${preload}` }
  await run({ way: 'exit', url: collector.url }, ['--import', preload], environment)
  directory.remove()
  expect(collector.sequence).toEqual(numbers(1_000))
})

test('fatal sends all queued records before it returns, so that a SIGKILL after it loses none', async () => {
  const { signal } = await die({ way: 'fatal', records: 700 })
  expect(signal).toBe('SIGKILL')
  expect(collector.sequence).toEqual(numbers(701))
})

test('flushSync sends all records, the logger still works after it, and the worker does not keep the process alive', async () => {
  const { stdout, code, deliveryStats, elapsed } = await die({ way: 'flushSync', records: 600 })
  expect(JSON.parse(stdout.split('\n')[0]!)).toEqual({ ok: true, pending: 0, dropped: 0 })
  expect(code).toBe(0)
  expect(collector.sequence).toEqual(numbers(601))
  expect(deliveryStats).toMatchObject({ written: 601 })
  expect(elapsed).toBeLessThan(4_000)
})

test('log calls with onFull: block wait for a slow server, and no record is duplicated', async () => {
  collector.respondAlways(after(150))
  const { deliveryStats } = await die({
    way: 'exit',
    records: 300,
    logger: { exitTimeoutMillis: 2_000 },
    exporter: { onFull: 'block', maxQueueSize: 100, maxExportBatchSize: 50 },
  })
  expect(collector.sequence).toEqual(numbers(300))
  expect(deliveryStats).toMatchObject({ written: 300, maybeDuplicated: 0, dropped: { total: 0 } })
})
