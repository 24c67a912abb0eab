import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { fakeCollector, silence, status, taken, type FakeCollector } from '../../support/otlp/fake-collector.ts'
import { until } from '../../support/until.ts'
import { closeSpools, folder, held, numbers, segmentsIn, spoolLogger, takes, type SpoolPlan } from './spool-logger.ts'

let server: FakeCollector
beforeEach(async () => {
  server = await fakeCollector()
  server.answerAlways(status(503))
})
afterEach(async () => {
  await closeSpools()
  await server.close()
})

type SpoolLogger = ReturnType<typeof spoolLogger>

/** The directory that a process has left which had written so many lines of ten records, in one finished file. */
async function leftBehind(lines: number, plan: SpoolPlan = {}): Promise<string> {
  // So that all of it is in one file: whoever tries again finishes it.
  const otlp = { retry: { initialDelayMillis: 60_000, maxDelayMillis: 60_000 } }
  const made = spoolLogger({ url: server.url, otlp, ...plan })
  await fill(made, lines)
  await made.log.shutdown()
  return made.directory
}

async function fill(made: SpoolLogger, lines: number): Promise<void> {
  for (let line = 0; line < lines; line++) {
    made.logAll(10)
    await made.log.flush()
  }
}

/** Opens a directory with a collector that works, and waits until all is replayed. */
async function replayed(directory: string): Promise<SpoolLogger & { readonly sequence: readonly number[] }> {
  const arrived = takes(server)
  const next = spoolLogger({ url: server.url, directory })
  await until(() => next.stats().segments === 0)
  return { ...next, sequence: arrived }
}

/** `spooled = replayed + expired + corrupt + waiting`. */
function sums({ stats }: SpoolLogger): void {
  const { spooled, replayed, expired, corrupt, waiting } = stats()
  expect(replayed + expired + corrupt + waiting).toBe(spooled)
}

const asideIn = (directory: string): string[] =>
  fs.globSync('set-aside/*.corrupt', { cwd: directory }).map((path) => join(directory, path))

describe('the files', () => {
  test('hold one whole request a line, and say how many records wait in them (FIL1)', async () => {
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

  test('have no line of a MiB or more; a batch that is longer becomes several (FIL6)', async () => {
    const made = spoolLogger({ url: server.url, logger: { limits: { recordBytes: 900_000 } } })
    made.logAll(3, { pad: 'é'.repeat(400_000) })
    made.logAll(2_000, { pad: 'x'.repeat(500) })
    await made.log.flush()
    const lengths = segmentsIn(made.directory).flatMap((path) =>
      fs
        .readFileSync(path)
        .toString('latin1')
        .split('\n')
        .map(({ length }) => length + 1),
    )
    expect(Math.max(...lengths)).toBeGreaterThan(500_000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1024 * 1024)
    const arrived = takes(server)
    await until(() => made.stats().waiting === 0)
    expect(arrived).toEqual(numbers(2_003))
  })

  test('take no record that is longer than a line, which is told (row 28)', async () => {
    const made = spoolLogger({ url: server.url, logger: { limits: { recordBytes: Infinity } } })
    made.logAll(1)
    made.logAll(1, { pad: 'x'.repeat(2 ** 20) })
    made.logAll(1)
    await made.log.flush()
    expect(made.ledger()).toMatchObject({ accepted: 4, written: 3, dropped: { byReason: { too_large: 1 } } })
    // The notice of the loss among them.
    expect(made.stats().spooled).toBe(3)
    expect(made.codes()).toContain('SLUICE_RECORD_TOO_LARGE')
  })

  test('say after each answer where the next process begins', async () => {
    // All of it in one file: the first probe comes later.
    const made = spoolLogger({ url: server.url, otlp: { retry: { initialDelayMillis: 600, maxDelayMillis: 600 } } })
    await fill(made, 3)
    server.answerAlways(silence)
    server.answerNext(taken, taken)
    await until(() => made.stats().waiting === 10)
    const [segment] = segmentsIn(made.directory)
    const [, records, from] = /\.(\d+)\.(\d+)\.crc32\.jsonl$/.exec(segment!)!
    expect(records).toBe('10')
    expect(fs.readFileSync(segment!).subarray(0, Number(from)).toString().split('\n')).toHaveLength(3)
  })
})

describe('the bounds', () => {
  test('maxBytes drops the oldest file, whose records are counted and told', async () => {
    const made = spoolLogger({ url: server.url, maxBytes: 2 ** 20 })
    const before = (): number => segmentsIn(made.directory).reduce((sum, path) => sum + fs.statSync(path).size, 0)
    for (let batch = 0; batch < 40; batch++) {
      made.logAll(100, { pad: 'x'.repeat(400) })
      await made.log.flush()
      expect(before()).toBeLessThanOrEqual(2 ** 20)
      sums(made)
    }
    const { spooled, expired, overflowed, waiting } = made.stats()
    expect(spooled).toBe(4_000)
    expect(expired).toBeGreaterThan(1_000)
    expect(overflowed).toBe(expired)
    expect(made.ledger()).toMatchObject({ written: 4_000 })
    expect(made.problems).toContainEqual({
      code: 'SLUICE_SPOOL_LOST',
      message: expect.stringMatching(/^\d+ records are lost: the spool has reached maxBytes/),
    })
    const arrived = takes(server)
    await until(() => made.stats().waiting === 0)
    expect(arrived).toEqual(numbers(waiting, expired))
    sums(made)
  })

  test('what is dropped while the destination has a part of it is counted once', async () => {
    const made = spoolLogger({ url: server.url, maxBytes: 2 ** 20, fsync: 'never' })
    made.logAll(100, { pad: 'x'.repeat(400) })
    await made.log.flush()
    const later = held()
    const before = server.received.length
    server.answerAlways(later.answer)
    await server.waitFor(before + 1)
    for (let batch = 0; batch < 40; batch++) {
      made.logAll(100, { pad: 'x'.repeat(400) })
      await made.log.flush()
      sums(made)
    }
    server.answerAlways(taken)
    later.give(taken)
    await until(() => made.stats().waiting === 0)
    sums(made)
    expect(made.stats().replayed + made.stats().expired).toBe(4_100)
  })

  test('maxAgeMillis drops files whose last record is older', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    fs.utimesSync(segment!, new Date(), new Date(Date.now() - 61_000))
    server.answerAlways(taken)
    const next = spoolLogger({ url: server.url, directory, maxAgeMillis: 60_000 })
    expect(next.stats()).toMatchObject({ spooled: 20, adopted: 20, expired: 20, overflowed: 0, waiting: 0 })
    expect(next.codes()).toEqual(['SLUICE_SPOOL_LOST'])
    expect(segmentsIn(directory)).toEqual([])
    expect(server.sequence.slice(20)).toEqual([])
  })

  test('maxAgeMillis drops what waits in this process, too', async () => {
    const made = spoolLogger({ url: server.url, maxAgeMillis: 50 })
    await fill(made, 1)
    await until(() => made.stats().expired === 10)
    sums(made)
    expect(made.codes()).toContain('SLUICE_SPOOL_LOST')
  })
})

describe('a file that is damaged', () => {
  test('at its end, as SIGKILL leaves one, is replayed up to there, and the rest is set aside (row 18)', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    const torn = '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUn'
    fs.appendFileSync(segment!, torn)
    fs.renameSync(segment!, join(dirname(segment!), '0000000001.open.crc32.jsonl'))
    const next = await replayed(directory)
    expect(next.sequence).toEqual(numbers(20))
    expect(next.stats()).toMatchObject({ spooled: 21, adopted: 21, replayed: 20, corrupt: 1, setAside: 1 })
    expect(next.codes()).toContain('SLUICE_SPOOL_DAMAGED')
    const [aside] = asideIn(directory)
    expect(fs.readFileSync(aside!, 'utf8')).toBe(torn)
    expect(fs.statSync(aside!).mode & 0o777).toBe(0o600)
  })

  test('in the middle loses the records of that line, which its name tells the number of', async () => {
    const directory = await leftBehind(3)
    const [segment] = segmentsIn(directory)
    const lines = fs.readFileSync(segment!, 'utf8').split('\n')
    lines[1] = lines[1]!.replace('"logRecords":[', '"logRecords":[,')
    fs.writeFileSync(segment!, lines.join('\n'))
    const next = await replayed(directory)
    expect(next.sequence).toEqual([...numbers(10), ...numbers(10, 20)])
    expect(next.stats()).toMatchObject({ spooled: 30, replayed: 20, corrupt: 10, missing: 0, setAside: 1 })
  })

  test('in one record of a file without checksums loses that one only', async () => {
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
    expect(next.stats()).toMatchObject({ spooled: 20, replayed: 19, corrupt: 1, setAside: 1 })
  })

  test('by more records than its name says sends and counts them all the same', async () => {
    const directory = await leftBehind(2)
    const [segment] = segmentsIn(directory)
    fs.renameSync(segment!, segment!.replace('.20.', '.5.'))
    const arrived = takes(server)
    const next = spoolLogger({ url: server.url, directory })
    await until(() => next.stats().segments === 0)
    expect(arrived).toEqual(numbers(20))
    expect(next.stats()).toMatchObject({ spooled: 20, adopted: 5, replayed: 20, corrupt: 0 })
  })

  test('that is gone when its turn comes is counted as missing (row 9)', async () => {
    const made = spoolLogger({ url: server.url, otlp: { retry: { initialDelayMillis: 200, maxDelayMillis: 200 } } })
    await fill(made, 2)
    await made.log.flush()
    fs.rmSync(made.directory, { recursive: true })
    server.answerAlways(taken)
    await until(() => made.stats().waiting === 0)
    expect(made.stats()).toMatchObject({ spooled: 20, corrupt: 20, missing: 20 })
    expect(made.codes()).toContain('SLUICE_SPOOL_LOST')
    made.logAll(1)
    await made.log.flush()
    expect(server.sequence.at(-1)).toBe(20)
  })

  test('is set aside within a bound, the newest of it', async () => {
    const directory = await leftBehind(1)
    const [segment] = segmentsIn(directory)
    fs.writeFileSync(segment!, `${'x'.repeat(100_000)}\n{"resourceLogs":[],}\n`.repeat(20))
    server.answerAlways(taken)
    const next = spoolLogger({ url: server.url, directory, maxBytes: 2 ** 20 })
    await until(() => next.stats().waiting === 0)
    expect(next.stats()).toMatchObject({ spooled: 10, corrupt: 10, setAside: 40 })
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

describe('a hostile file', () => {
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
  ])('%s costs its own records only, and little memory', async (what, content) => {
    const bad = Buffer.from(content)
    const before = process.memoryUsage.rss()
    const next = await withFile(Buffer.concat([Buffer.from(good(0)), bad, Buffer.from(good(1))]))
    // Behind a line without an end there is nothing.
    expect(next.sequence).toEqual(what.includes('without') || what === 'UTF-16' ? [0] : [0, 1])
    expect(process.memoryUsage.rss() - before).toBeLessThan(512 * 1024 * 1024)
    expect(({} as { resourceLogs?: unknown }).resourceLogs).toBeUndefined()
  })

  test('that is a link, a directory or a pipe is not opened, and counted as missing', async () => {
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

  test('of any bytes is replayed without a throw, and every count adds up', async () => {
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
