import * as fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { otlpEncoding } from '../../../src/encode/otlp/otlp-request.ts'
import type { SpoolFileSystem } from '../../../src/exporters/spool/files.ts'
import { fakeCollector, neverRespond, status, accept, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, folder, held, numbers, segmentsIn, spoolLogger, takes } from './spool-logger.ts'

let server: FakeCollector
beforeEach(async () => {
  server = await fakeCollector()
  server.respondAlways(status(503))
})
afterEach(async () => {
  await closeSpools()
  await server.close()
})

const errorOf = (code: string): Error => Object.assign(new Error(code), { code })

/** A file system whose calls fail with the configured error codes. */
function failingDisk(): { readonly files: SpoolFileSystem; readonly failing: Map<keyof SpoolFileSystem, string> } {
  const failing = new Map<keyof SpoolFileSystem, string>()
  const files = { ...fs } as Record<string, unknown>
  for (const name of ['openSync', 'writeSync', 'mkdirSync', 'renameSync', 'unlinkSync', 'fsyncSync'] as const) {
    files[name] = (...args: never[]): unknown => {
      const code = failing.get(name)
      if (code !== undefined) throw errorOf(code)
      return (fs[name] as (...all: never[]) => unknown)(...args)
    }
  }
  for (const name of ['write', 'fsync', 'read'] as const) {
    files[name] = (...args: never[]): unknown => {
      const code = failing.get(name)
      if (code === undefined) return (fs[name] as (...all: never[]) => unknown)(...args)
      const done = args.at(-1) as unknown as (error: Error) => void
      return setImmediate(() => done(errorOf(code)))
    }
  }
  return { files: files as unknown as SpoolFileSystem, failing }
}

const short = { retry: { initialDelayMillis: 5, maxDelayMillis: 5, maxElapsedMillis: 100 } }

// Fault rows: 4, 6, 9, 25
describe('disks that cannot be written to', () => {
  test.each<[string, keyof SpoolFileSystem, string]>([
    ['a full disk', 'write', 'ENOSPC'],
    ['a disk with I/O errors', 'write', 'EIO'],
    ['a directory that cannot be created', 'mkdirSync', 'EACCES'],
    ['a process without free descriptors', 'openSync', 'EMFILE'],
    ['a read-only disk', 'openSync', 'EROFS'],
  ])('with %s records are sent directly, or dropped as io_error and reported', async (_, call, code) => {
    const { files, failing } = failingDisk()
    failing.set(call, code)
    const { log, logAll, deliveryStats, stats, problems } = spoolLogger({ url: server.url, files, otlp: short })
    logAll(10)
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 0, queued: 0, dropped: { total: 10, byReason: { io_error: 10 } } })
    expect(problems).toContainEqual({ code: 'SLUICE_SPOOL_FAILED', message: expect.stringContaining(`(${code})`) })
    server.respondAlways(accept)
    logAll(10)
    await log.flush()
    // Includes the drop report.
    await waitUntil(() => deliveryStats().written === 11)
    expect(stats().spooled).toBe(0)
    failing.clear()
    server.respondAlways(status(503))
    logAll(10)
    await log.flush()
    expect(stats()).toMatchObject({ spooled: 10, waiting: 10 })
  })

  test('a batch stays queued up to retry.maxElapsedMillis and is spooled when the disk has space again', async () => {
    const { files, failing } = failingDisk()
    failing.set('write', 'ENOSPC')
    const { log, logAll, deliveryStats, stats } = spoolLogger({ url: server.url, files })
    logAll(10)
    await waitUntil(() => server.received.length > 3)
    expect(deliveryStats()).toMatchObject({ queued: 10 })
    failing.clear()
    await log.flush()
    expect(deliveryStats()).toMatchObject({ written: 10, dropped: { total: 0 } })
    expect(stats().spooled).toBe(10)
  })

  // Fault rows: 5
  test('only whole lines remain in files when a full disk accepts half a line', async () => {
    const { files, failing } = failingDisk()
    const half = ((fd: number, bytes: Buffer, from: number, length: number, at: number, done: never) => {
      if (failing.size > 0) return files.write(fd, bytes, from, length, at, done)
      failing.set('write', 'ENOSPC')
      return fs.write(fd, bytes, from, length >> 1, at, done)
    }) as unknown as SpoolFileSystem['write']
    const { log, logAll, directory, stats } = spoolLogger({ url: server.url, files: { ...files, write: half } })
    logAll(10, { pad: 'x'.repeat(1_000) })
    await waitUntil(() => server.received.length > 2)
    failing.clear()
    failing.set('fsync', 'EIO')
    logAll(1)
    await log.flush()
    const text = segmentsIn(directory)
      .map((path) => fs.readFileSync(path, 'utf8'))
      .join('')
    expect(text.endsWith('\n')).toBe(true)
    for (const line of text.trimEnd().split('\n')) JSON.parse(line)
    expect(stats()).toMatchObject({ spooled: 11, quarantined: 0 })
  })
})

test('a flush waits until all sealed files are synced, not only the last one', async () => {
  const releases: (() => void)[] = []
  const isHeld = () => releases.length === 0
  const fsync = (fd: number, done: fs.NoParamCallback): void => {
    if (isHeld()) releases.push(() => fs.fsync(fd, done))
    else fs.fsync(fd, done)
  }
  const files = { ...fs, fsync } as unknown as SpoolFileSystem
  const { log, logAll, stats } = spoolLogger({ url: server.url, files, maxBytes: 2 ** 20 })
  for (let round = 1; round <= 4; round++) {
    logAll(200, { pad: 'x'.repeat(1_000) })
    await waitUntil(() => stats().spooled === 200 * round)
  }
  expect(stats().segments).toBeGreaterThan(2)
  let isFlushed = false
  const flushed = log.flush().then(() => (isFlushed = true))
  await delay(200)
  expect(isFlushed).toBe(false)
  releases[0]!()
  await flushed
})

test('a batch counts as unknown and is reported when fsync fails with fsync: batch', async () => {
  const { files, failing } = failingDisk()
  failing.set('fsync', 'EIO')
  const { log, logAll, deliveryStats, stats, codes } = spoolLogger({ url: server.url, files, fsync: 'batch' })
  logAll(10)
  await log.flush()
  expect(deliveryStats()).toMatchObject({ written: 0, unknown: 10 })
  expect(codes()).toContain('SLUICE_SYNC_FAILED')
  server.respondAlways(accept)
  await waitUntil(() => stats().replayed === 10)
})

test('a file that cannot be removed or renamed is reported, and replayed once in this process', async () => {
  const { files, failing } = failingDisk()
  const { log, logAll, stats, codes } = spoolLogger({
    url: server.url,
    files,
    otlp: { retry: { initialDelayMillis: 200 } },
  })
  for (let line = 0; line < 3; line++) {
    logAll(10)
    await log.flush()
  }
  await waitUntil(() => server.received.length > 1)
  failing.set('renameSync', 'EACCES').set('unlinkSync', 'EACCES')
  const arrived = takes(server)
  await waitUntil(() => stats().segments === 0)
  expect(arrived).toEqual(numbers(30))
  expect(stats()).toMatchObject({ spooled: 30, replayed: 30 })
  expect(codes()).toContain('SLUICE_SPOOL_FAILED')
})

// Fault rows: 10
test('a slow disk does not block log calls, because it is written to outside the event loop', async () => {
  const slow = ((...args: never[]) =>
    setTimeout(() => (fs.write as (...all: never[]) => void)(...args), 2_000)) as never
  const { log, logAll, deliveryStats } = spoolLogger({ url: server.url, files: { ...fs, write: slow } })
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  for (let round = 0; round < 2; round++) {
    logAll(100)
    await log.flush()
  }
  clearInterval(timer)
  expect(deliveryStats()).toMatchObject({ written: 200 })
  expect(longest).toBeLessThan(1_500)
})

test('a response that arrives while its batch is written to a file counts for the file', async () => {
  const later = held()
  server.respondNext(later.answer)
  const write = ((...args: never[]) => {
    later.give(accept)
    setTimeout(() => (fs.write as (...all: never[]) => void)(...args), 300)
  }) as never
  const { log, logAll, stats, deliveryStats } = spoolLogger({ url: server.url, files: { ...fs, write } })
  logAll(10)
  await log.flush()
  await waitUntil(() => stats().waiting === 0)
  expect(stats()).toMatchObject({ spooled: 10, replayed: 10, maybeDuplicated: 0 })
  expect(deliveryStats()).toMatchObject({ accepted: 10, written: 10, maybeDuplicated: 0 })
  expect(server.sequence).toEqual(numbers(10))
})

// Fault rows: 10
test('a disk that never responds does not block log calls at the queue limit, where onFull applies', async () => {
  const hung = (() => {}) as never
  const { log, logAll, deliveryStats } = spoolLogger({
    url: server.url,
    files: { ...fs, write: hung },
    otlp: { maxQueueSize: 100 },
  })
  logAll(1)
  await waitUntil(() => server.received.length === 1)
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const start = performance.now()
  logAll(1_000)
  expect(performance.now() - start).toBeLessThan(1_000)
  expect(deliveryStats().dropped.byReason.queue_full).toBeGreaterThan(800)
  expect(log.flushSync(1_000)).toMatchObject({ ok: true })
})

// Fault rows: 9
test('a directory that is removed while records are logged is created again', async () => {
  const { log, logAll, directory, stats, codes } = spoolLogger({
    url: server.url,
    otlp: { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } },
  })
  logAll(10)
  await log.flush()
  fs.rmSync(directory, { recursive: true })
  logAll(10)
  await log.flush()
  expect(segmentsIn(directory)).toHaveLength(1)
  expect(stats()).toMatchObject({ spooled: 20, corrupt: 10, missing: 10, waiting: 10 })
  expect(codes()).toContain('SLUICE_SPOOL_LOST')
})

test('the bytes of a batch do not change for a destination that reads them late', async () => {
  const { promise: late, resolve: give } = Promise.withResolvers<void>()
  const seen: boolean[] = []
  const { log, logAll, deliveryStats, stats } = spoolLogger({
    directory: folder(),
    exporter: {
      name: 'late',
      encoding: otlpEncoding('http/json'),
      schedule: 'turn',
      delivery: {},
      async export(batch) {
        const bytes = batch.bytes()
        const before = batch.text()
        await late
        seen.push(Buffer.from(bytes).toString() === before, batch.text() === before)
        return { status: 'accepted' }
      },
    },
  })
  logAll(10)
  await log.flush()
  // The queue reuses its buffers.
  for (let round = 0; round < 20; round++) {
    logAll(10, { pad: 'y'.repeat(100) })
    await log.flush()
  }
  expect(deliveryStats()).toMatchObject({ written: 210 })
  give()
  await waitUntil(() => stats().waiting === 0)
  expect([...new Set(seen)]).toEqual([true])
})

test('no record is lost when a logger is shut down while its destination does not respond', async () => {
  server.respondAlways(neverRespond)
  const { log, logAll, deliveryStats, directory } = spoolLogger({ url: server.url })
  logAll(10)
  await server.waitFor(1)
  await log.shutdown({ timeoutMillis: 0 })
  expect(deliveryStats()).toMatchObject({ written: 10, queued: 0 })
  expect(segmentsIn(directory)).toHaveLength(1)
})

// Fault rows: 9
test('a directory that cannot be created is not retried by each log call at a full queue', async () => {
  let attempts = 0
  const files: SpoolFileSystem = {
    ...fs,
    mkdirSync: () => {
      attempts++
      throw errorOf('ENOTDIR')
    },
  }
  const { log, logAll } = spoolLogger({ files, otlp: { maxQueueSize: 100, onFull: 'dropNewest' } })
  logAll(2_000)
  expect(log.stats().dropped.byReason.queue_full).toBeGreaterThan(1_000)
  expect(attempts).toBeLessThan(20)
})
