import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { SpoolFileSystem } from '../../../src/exporters/spool/files.ts'
import { fakeCollector, neverRespond, status, accept, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { closeSpools, folder, held, numbers, segmentsIn, spoolLogger, takes, type SpoolPlan } from './spool-logger.ts'

let server: FakeCollector
beforeEach(async () => {
  server = await fakeCollector()
  server.respondAlways(status(503))
})
afterEach(async () => {
  await closeSpools()
  await server.close()
})

type SpoolLogger = ReturnType<typeof spoolLogger>

/** The directory of an ended process that has spooled the given number of lines of ten records in one sealed file. */
async function leftBehind(lines: number, plan: SpoolPlan = {}): Promise<string> {
  // A long retry delay, because a retry would seal the file.
  const otlp = { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } }
  const harness = spoolLogger({ url: server.url, otlp, ...plan })
  await fill(harness, lines)
  await harness.log.shutdown()
  return harness.directory
}

async function fill(harness: SpoolLogger, lines: number): Promise<void> {
  for (let line = 0; line < lines; line++) {
    harness.logAll(10)
    await harness.log.flush()
  }
}

/** Opens a directory with a working collector, and waits until all records are replayed. */
async function replayed(
  directory: string,
  plan: SpoolPlan = {},
): Promise<SpoolLogger & { readonly sequence: readonly number[] }> {
  const arrived = takes(server)
  const next = spoolLogger({ ...plan, url: server.url, directory })
  await waitUntil(() => next.stats().segments === 0)
  return { ...next, sequence: arrived }
}

/** `spooled = replayed + expired + corrupt + waiting`. */
function sums({ stats }: SpoolLogger): void {
  const { spooled, replayed, expired, corrupt, waiting } = stats()
  expect(replayed + expired + corrupt + waiting).toBe(spooled)
}

const asideIn = (directory: string): string[] =>
  fs.globSync('quarantine/*.corrupt', { cwd: directory }).map((path) => join(directory, path))

/** A logger whose first record exceeds the limit of a spool line and has had no response for more than a second. */
async function withoutResponse(plan: SpoolPlan = {}) {
  const later = held()
  server.respondNext(later.answer)
  const harness = spoolLogger({ url: server.url, logger: { limits: { recordBytes: Infinity } }, ...plan })
  harness.logAll(1, { pad: 'x'.repeat(2 ** 20) })
  await server.waitFor(1)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  return { ...harness, later }
}

describe('spool files', () => {
  // Requirements: FIL1
  test('spool files contain one request on each line, and their name has the number of records', async () => {
    const directory = await leftBehind(3)
    const [segment] = segmentsIn(directory)
    expect(segment).toMatch(/\/free-[0-9a-f]{12}\/0{9}1\.30\.0\.crc32\.jsonl$/)
    const lines = fs.readFileSync(segment!, 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual([
      ['resourceLogs'],
      ['resourceLogs'],
      ['resourceLogs'],
    ])
  })

  // Requirements: FIL6
  test('spool lines are at most 1 MiB, and a larger batch is split into several', async () => {
    const harness = spoolLogger({ url: server.url, logger: { limits: { recordBytes: 900_000 } } })
    harness.logAll(3, { pad: 'é'.repeat(400_000) })
    harness.logAll(2_000, { pad: 'x'.repeat(500) })
    await harness.log.flush()
    const lengths = segmentsIn(harness.directory).flatMap((path) =>
      fs
        .readFileSync(path)
        .toString('latin1')
        .split('\n')
        .map(({ length }) => length + 1),
    )
    expect(Math.max(...lengths)).toBeGreaterThan(500_000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1024 * 1024)
    const arrived = takes(server)
    await waitUntil(() => harness.stats().waiting === 0)
    expect(arrived).toEqual(numbers(2_003))
  })

  // Fault rows: 28
  test('a record that exceeds the limit of a spool line is dropped and reported', async () => {
    const harness = spoolLogger({ url: server.url, logger: { limits: { recordBytes: Infinity } } })
    harness.logAll(1)
    harness.logAll(1, { pad: 'x'.repeat(2 ** 20) })
    harness.logAll(1)
    await harness.log.flush()
    expect(harness.deliveryStats()).toMatchObject({ accepted: 4, written: 3, dropped: { byReason: { too_large: 1 } } })
    // Includes the drop report.
    expect(harness.stats().spooled).toBe(3)
    expect(harness.codes()).toContain('SLUICE_RECORD_TOO_LARGE')
  })

  describe('a record that exceeds the limit of a spool line and has had no response for a second', () => {
    test('it is written if the response accepts it', async () => {
      const { later, deliveryStats, codes } = await withoutResponse()
      expect(deliveryStats()).toMatchObject({ queued: 1, dropped: { total: 0 } })
      later.give(accept)
      await waitUntil(() => deliveryStats().queued === 0)
      expect(deliveryStats()).toMatchObject({ accepted: 1, written: 1, dropped: { total: 0 } })
      expect(codes()).toEqual([])
    })

    test('it is dropped if the response does not accept it', async () => {
      const { later, deliveryStats, codes } = await withoutResponse()
      later.give(status(503))
      await waitUntil(() => deliveryStats().dropped.total === 1)
      expect(deliveryStats().dropped.byReason.too_large).toBe(1)
      expect(codes()).toContain('SLUICE_RECORD_TOO_LARGE')
    })

    test('it is dropped after retry.maxElapsedMillis, and later records are spooled', async () => {
      const { logAll, log, deliveryStats, stats } = await withoutResponse({
        otlp: { retry: { maxElapsedMillis: 1_500 } },
      })
      logAll(1)
      await log.flush()
      expect(deliveryStats().dropped).toMatchObject({ total: 1, byReason: { too_large: 1 } })
      // Includes the drop report.
      await waitUntil(() => stats().spooled === 2)
    })

    test('it is dropped by flushSync, which spools later records', async () => {
      const { logAll, log, deliveryStats, stats } = await withoutResponse()
      logAll(1)
      expect(log.flushSync(1_000)).toMatchObject({ pending: 0 })
      expect(deliveryStats().dropped).toMatchObject({ total: 1, byReason: { too_large: 1 } })
      expect(stats().spooled).toBeGreaterThan(0)
    })
  })

  test('the file name is updated after each response with the offset of the remaining records', async () => {
    // All records are in one file: the first probe is sent later.
    const harness = spoolLogger({ url: server.url, otlp: { retry: { initialDelayMillis: 600, maxDelayMillis: 600 } } })
    await fill(harness, 3)
    server.respondAlways(neverRespond)
    server.respondNext(accept, accept)
    await waitUntil(() => harness.stats().waiting === 10)
    const [segment] = segmentsIn(harness.directory)
    const [, records, from] = /\.(\d+)\.(\d+)\.crc32\.jsonl$/.exec(segment!)!
    expect(records).toBe('10')
    expect(fs.readFileSync(segment!).subarray(0, Number(from)).toString().split('\n')).toHaveLength(3)
  })
})

describe('limits of the spool', () => {
  test('maxBytes drops the oldest file, whose records are counted and reported', async () => {
    const harness = spoolLogger({ url: server.url, maxBytes: 2 ** 20 })
    const before = (): number => segmentsIn(harness.directory).reduce((sum, path) => sum + fs.statSync(path).size, 0)
    for (let batch = 0; batch < 40; batch++) {
      harness.logAll(100, { pad: 'x'.repeat(400) })
      await harness.log.flush()
      expect(before()).toBeLessThanOrEqual(2 ** 20)
      sums(harness)
    }
    const { spooled, expired, overflowed, waiting } = harness.stats()
    expect(spooled).toBe(4_000)
    expect(expired).toBeGreaterThan(1_000)
    expect(overflowed).toBe(expired)
    expect(harness.deliveryStats()).toMatchObject({ written: 4_000 })
    expect(harness.problems).toContainEqual({
      code: 'SLUICE_SPOOL_LOST',
      message: expect.stringMatching(/^\d+ records are lost: the spool has reached maxBytes/),
    })
    const arrived = takes(server)
    await waitUntil(() => harness.stats().waiting === 0)
    expect(arrived).toEqual(numbers(waiting, expired))
    sums(harness)
  })

  test('records that are dropped during their export are counted once', async () => {
    const harness = spoolLogger({ url: server.url, maxBytes: 2 ** 20, fsync: 'never' })
    harness.logAll(100, { pad: 'x'.repeat(400) })
    await harness.log.flush()
    const later = held()
    const before = server.received.length
    server.respondAlways(later.answer)
    await server.waitFor(before + 1)
    for (let batch = 0; batch < 40; batch++) {
      harness.logAll(100, { pad: 'x'.repeat(400) })
      await harness.log.flush()
      sums(harness)
    }
    server.respondAlways(accept)
    later.give(accept)
    await waitUntil(() => harness.stats().waiting === 0)
    sums(harness)
    expect(harness.stats().replayed + harness.stats().expired).toBe(4_100)
  })

  test('maxAgeMillis drops files whose last record is older', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    fs.utimesSync(segment!, new Date(), new Date(Date.now() - 61_000))
    server.respondAlways(accept)
    const next = spoolLogger({ url: server.url, directory, maxAgeMillis: 60_000 })
    expect(next.stats()).toMatchObject({ spooled: 20, adopted: 20, expired: 20, overflowed: 0, waiting: 0 })
    expect(next.codes()).toEqual(['SLUICE_SPOOL_LOST'])
    expect(segmentsIn(directory)).toEqual([])
    expect(server.sequence.slice(20)).toEqual([])
  })

  test('maxAgeMillis drops waiting records of the same process', async () => {
    const harness = spoolLogger({ url: server.url, maxAgeMillis: 50 })
    await fill(harness, 1)
    await waitUntil(() => harness.stats().expired === 10)
    sums(harness)
    expect(harness.codes()).toContain('SLUICE_SPOOL_LOST')
  })

  test.each([
    [1, '1 record is lost: older than maxAgeMillis'],
    [2, '2 records are lost: older than maxAgeMillis'],
  ])('expired records are reported in the singular or plural: %i', async (count, message) => {
    const { log, logAll, problems, stats } = spoolLogger({ url: server.url, maxAgeMillis: 50 })
    logAll(count)
    await log.flush()
    await waitUntil(() => stats().expired === count)
    expect(problems).toContainEqual({ code: 'SLUICE_SPOOL_LOST', message })
  })
})

/** A file system that writes at most 20 bytes in a call, and fails with ENOSPC at `maxOffset`. */
function shortWrites(maxOffset = Infinity): SpoolFileSystem {
  const writeSync = (
    fd: number,
    bytes: Uint8Array,
    offset = 0,
    length = bytes.length - offset,
    position = 0,
  ): number => {
    if (offset >= maxOffset) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return fs.writeSync(fd, bytes, offset, Math.min(length, 20), position)
  }
  return { ...fs, writeSync }
}

describe('damaged files', () => {
  // Fault rows: 18
  test('a file with a torn last line is replayed up to it, and the rest is quarantined', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    const torn = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUn'
    fs.appendFileSync(segment!, torn)
    fs.renameSync(segment!, join(dirname(segment!), '0000000001.open.crc32.jsonl'))
    const next = await replayed(directory)
    expect(next.sequence).toEqual(numbers(20))
    expect(next.stats()).toMatchObject({ spooled: 21, adopted: 21, replayed: 20, corrupt: 1, quarantined: 1 })
    expect(next.codes()).toContain('SLUICE_SPOOL_DAMAGED')
    const [aside] = asideIn(directory)
    expect(fs.readFileSync(aside!, 'utf8')).toBe(torn)
    expect(fs.statSync(aside!).mode & 0o777).toBe(0o600)
  })

  describe('a system that writes a part of the bytes in each call', () => {
    const torn = `{"resourceLogs":[{"scopeLogs":[${'x'.repeat(1_000)}`

    async function withTornLine(files: SpoolFileSystem): Promise<SpoolLogger> {
      const directory = await leftBehind(2)
      const [segment] = segmentsIn(directory)
      fs.appendFileSync(segment!, torn)
      fs.renameSync(segment!, join(dirname(segment!), '0000000001.open.crc32.jsonl'))
      return replayed(directory, { files })
    }

    test('a damaged piece is quarantined as a whole', async () => {
      const { directory, problems } = await withTornLine(shortWrites())
      expect(asideIn(directory).map((path) => fs.readFileSync(path, 'utf8'))).toEqual([torn])
      expect(problems[0]!.message).toContain('was moved to quarantine')
    })

    test('no part of a damaged piece is kept if the disk becomes full', async () => {
      const { directory, problems } = await withTornLine(shortWrites(100))
      expect(asideIn(directory)).toEqual([])
      expect(problems[0]!.message).toContain('could not be moved to quarantine')
    })

    test('the reservation of an owner is written as a whole', async () => {
      const harness = spoolLogger({ url: server.url, files: shortWrites() })
      await fill(harness, 1)
      const [path] = fs.globSync('owner-*/alive', { cwd: harness.directory })
      expect(fs.readFileSync(join(harness.directory, path!), 'utf8')).toMatch(/^ *\d+ +0\n$/)
    })
  })

  test('only the records of a damaged line are lost and counted', async () => {
    const directory = await leftBehind(3)
    const [segment] = segmentsIn(directory)
    const lines = fs.readFileSync(segment!, 'utf8').split('\n')
    lines[1] = lines[1]!.replace('"logRecords":[', '"logRecords":[,')
    fs.writeFileSync(segment!, lines.join('\n'))
    const next = await replayed(directory)
    expect(next.sequence).toEqual([...numbers(10), ...numbers(10, 20)])
    expect(next.stats()).toMatchObject({ spooled: 30, replayed: 20, corrupt: 10, missing: 0, quarantined: 1 })
  })

  test('only the damaged record of a file without checksums is lost', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    fs.writeFileSync(
      segment!,
      fs
        .readFileSync(segment!, 'utf8')
        .replace('"intValue":"13"', '"intValue":"1.3"')
        .replaceAll(/[ \t]+$/gm, ''),
    )
    fs.renameSync(segment!, segment!.replace('.crc32', ''))
    const next = await replayed(directory)
    expect(next.sequence).toEqual(numbers(20).filter((seq) => seq !== 13))
    expect(next.stats()).toMatchObject({ spooled: 20, replayed: 19, corrupt: 1, quarantined: 1 })
  })

  test('a file with more records than in its name is replayed and counted completely', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    fs.renameSync(segment!, segment!.replace('.20.', '.5.'))
    const arrived = takes(server)
    const next = spoolLogger({ url: server.url, directory })
    await waitUntil(() => next.stats().segments === 0)
    expect(arrived).toEqual(numbers(20))
    expect(next.stats()).toMatchObject({ spooled: 20, adopted: 5, replayed: 20, corrupt: 0 })
  })

  // Fault rows: 9
  test('the records of a deleted file are counted as missing', async () => {
    const harness = spoolLogger({ url: server.url, otlp: { retry: { initialDelayMillis: 200, maxDelayMillis: 200 } } })
    await fill(harness, 2)
    await harness.log.flush()
    fs.rmSync(harness.directory, { recursive: true })
    server.respondAlways(accept)
    await waitUntil(() => harness.stats().waiting === 0)
    expect(harness.stats()).toMatchObject({ spooled: 20, corrupt: 20, missing: 20 })
    expect(harness.codes()).toContain('SLUICE_SPOOL_LOST')
    harness.logAll(1)
    await harness.log.flush()
    expect(server.sequence.at(-1)).toBe(20)
  })

  test('the size of quarantined files is limited', async () => {
    const directory = await leftBehind(1)
    const [segment] = segmentsIn(directory)
    fs.writeFileSync(segment!, `${'x'.repeat(100_000)}\n{"resourceLogs":[],}\n`.repeat(20))
    server.respondAlways(accept)
    const next = spoolLogger({ url: server.url, directory, maxBytes: 2 ** 20 })
    await waitUntil(() => next.stats().waiting === 0)
    expect(next.stats()).toMatchObject({ spooled: 10, corrupt: 10, quarantined: 40 })
    expect(asideIn(directory).reduce((sum, path) => sum + fs.statSync(path).size, 0)).toBeLessThanOrEqual(2 ** 17)
  })
})

const good = (seq: number): string =>
  `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[{"key":"seq","value":{"intValue":"${seq}"}}]}]}]}]}\n`

async function withFile(content: string | Buffer): Promise<SpoolLogger & { readonly sequence: readonly number[] }> {
  const directory = folder()
  fs.mkdirSync(join(directory, 'free-0123456789ab'))
  fs.writeFileSync(join(directory, 'free-0123456789ab/0000000001.open.jsonl'), content)
  const next = await replayed(directory)
  sums(next)
  return next
}

describe('hostile files', () => {
  test.each<[string, string | Buffer]>([
    ['a line of 40 MB', `${'x'.repeat(40_000_000)}\n`],
    ['40 MB without a line end', Buffer.alloc(40_000_000)],
    ['lines of nothing but brackets', `${'['.repeat(1_000_000)}\n`.repeat(10)],
    ['NUL bytes', Buffer.concat([Buffer.alloc(5_000), Buffer.from('\n')])],
    ['empty lines', '\n'.repeat(1_000_000)],
    ['lines of two bytes', '{\n'.repeat(1_000_000)],
    ['lines that nearly are some', '{"resourceLogs":[1]}\n'.repeat(50_000)],
    ['a prototype', '{"__proto__":{"resourceLogs":[]},"resourceLogs":{"length":1}}\n'],
    ['UTF-16', Buffer.from(good(7), 'utf16le')],
  ])('a file with %s loses only its own records and needs little memory', async (what, content) => {
    const bad = Buffer.from(content)
    const before = process.memoryUsage.rss()
    const next = await withFile(Buffer.concat([Buffer.from(good(0)), bad, Buffer.from(good(1))]))
    // No record is found after a line without an end.
    expect(next.sequence).toEqual(what.includes('without') || what === 'UTF-16' ? [0] : [0, 1])
    expect(process.memoryUsage.rss() - before).toBeLessThan(512 * 1024 * 1024)
    expect(({} as { resourceLogs?: unknown }).resourceLogs).toBeUndefined()
  })

  test('a link or a directory in place of a file is not opened and counted as missing', async () => {
    const directory = folder()
    const left = join(directory, 'free-0123456789ab')
    fs.mkdirSync(left)
    const elsewhere = join(folder(), 'elsewhere.jsonl')
    fs.writeFileSync(elsewhere, good(0))
    fs.symlinkSync(elsewhere, join(left, '0000000001.1.0.jsonl'))
    fs.mkdirSync(join(left, '0000000002.1.0.jsonl'))
    const next = await replayed(directory)
    expect(next.sequence).toEqual([])
    expect(next.stats()).toMatchObject({ spooled: 2, missing: 2, corrupt: 2 })
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe(good(0))
  })

  test('a file with arbitrary bytes is replayed without an error, and all counts add up', async () => {
    const line = Buffer.from(good(3))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constant(line), fc.constant(line.subarray(0, 50))), {
          maxLength: 12,
        }),
        async (parts) => {
          const { stats, log } = await withFile(Buffer.concat(parts))
          expect(stats().waiting).toBe(0)
          await log.shutdown()
        },
      ),
      { numRuns: 25 },
    )
  })
})
