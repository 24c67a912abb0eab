import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { openForAppending } from '../../../src/exporters/fd/descriptor.ts'
import { fileExporter, type FileExporterOptions } from '../../../src/exporters/file/file-exporter.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { batchOf, numberedLines, sequenceOf } from '../../support/pipeline/batch.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { filesOf, textOf } from '../../support/files/rotated.ts'
import { rotatingWriter, type TestClocks } from '../../support/files/rotating-writer.ts'

let directory: TemporaryDirectory
const loggers: RootLogger[] = []
beforeAll(() => {
  directory = temporaryDirectory()
})
afterEach(async () => void (await Promise.all(loggers.splice(0).map((log) => log.shutdown()))))
afterAll(() => directory.remove())

function place(name: string): string {
  mkdirSync(directory.path(name))
  return directory.path(join(name, 'app.log'))
}

function writing(name: string) {
  const path = place(name)
  const clocks: TestClocks = { wall: 0, monotonic: 0 }
  const writer = rotatingWriter(path, undefined, clocks)
  const log = (seq: number) => writer.exportSync(batchOf(numberedLines(1, seq)), 0, true)
  return { path, clocks, log, writer }
}

function logger(options: FileExporterOptions): RootLogger {
  const log = createLogger({ exporter: fileExporter(options), onDiagnostic: () => {} }) as RootLogger
  loggers.push(log)
  return log
}
const messages = (path: string): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message)

const read = (path: string): number[] => sequenceOf(readFileSync(path, 'utf8'))

describe('paths of files that are not rotated', () => {
  test('the path is checked once a second and not at each write', () => {
    const { path, clocks, log } = writing('second')
    log(0)
    renameSync(path, `${path}.1`)
    writeFileSync(path, '')
    clocks.monotonic = 999
    log(1)
    clocks.monotonic = 1_000
    log(2)
    expect([read(`${path}.1`), read(path)]).toEqual([[0, 1], [2]])
  })

  test('a missing file is created again only after a second, because a rotator may create it', () => {
    const { path, clocks, log } = writing('nowhere')
    log(0)
    unlinkSync(path)
    for (const [seq, time] of [1_000, 1_999, 2_000].entries()) {
      clocks.monotonic = time
      log(seq + 1)
      expect([time, existsSync(path)]).toEqual([time, time === 2_000])
    }
    expect(read(path)).toEqual([3])
  })

  // Fault rows: 9
  test('batches are rejected while the directory of the file is missing', () => {
    const { path, clocks, log, writer } = writing('gone')
    log(0)
    rmSync(dirname(path), { recursive: true })
    clocks.monotonic = 1_000
    expect(log(1)).toEqual({ status: 'accepted' })
    clocks.monotonic = 2_000
    expect(log(2)).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(writer.host.diagnostics).toEqual([
      { code: 'SLUICE_WRITE_FAILED', message: `file:${path}: cannot open (ENOENT); retrying` },
    ])
    mkdirSync(dirname(path))
    expect(log(3)).toEqual({ status: 'accepted' })
    expect(read(path)).toEqual([3])
  })

  test('a renamed file stays in use while its path cannot be opened, which is retried with backoff', () => {
    const { path, clocks, log, writer } = writing('kept')
    log(0)
    renameSync(path, `${path}.1`)
    mkdirSync(path)
    for (const [seq, time] of [1_000, 1_999, 2_000, 3_999, 4_999].entries()) {
      clocks.monotonic = time
      expect(log(seq + 1)).toEqual({ status: 'accepted' })
    }
    const message = `file:${path}: cannot be reopened (EISDIR); the old file stays in use; retrying`
    expect(writer.host.diagnostics).toEqual([1, 2, 3].map(() => ({ code: 'SLUICE_WRITE_FAILED', message })))
    expect(read(`${path}.1`)).toEqual([0, 1, 2, 3, 4, 5])
  })

  // Fault rows: 9
  test('a deleted file and its directories are created again with mkdir', async () => {
    const path = directory.path('made/again/app.log')
    const log = createLogger({ exporter: fileExporter({ path, mkdir: true, rotate: { size: 1_000_000 } }) })
    loggers.push(log)
    log.info('lost')
    await log.flush()
    rmSync(directory.path('made'), { recursive: true })
    log.info('there')
    await log.flush()
    expect(readFileSync(path, 'utf8')).toContain('there')
  })
})

test.each([undefined, { size: 1_000_000 }])(
  'a file whose inode changes at each open is no longer followed, with rotate %j',
  (rotate) => {
    const path = place(`restless-${rotate?.size ?? 'not'}`)
    const clocks: TestClocks = { wall: 0, monotonic: 0 }
    let opened = 0
    const open = () => ({ ...openForAppending(path, 0o644), key: `0:${opened++}` })
    const writer = rotatingWriter(path, rotate, clocks, open)
    for (let seq = 0; seq < 100; seq++) {
      clocks.monotonic = seq * 500
      void writer.export(batchOf(numberedLines(1, seq)), undefined)
    }
    expect(opened).toBe(9)
    expect(writer.host.diagnostics).toEqual([
      {
        code: 'SLUICE_WRITE_FAILED',
        message: `file:${path}: the path refers to a different file each time it is opened; it is not checked for 60 s`,
      },
    ])
    expect(read(path)).toEqual(Array.from({ length: 100 }, (_, seq) => seq))
  },
)

describe('files that another program truncates (copytruncate)', () => {
  test('a truncated file is written from its start and has the size of an empty file', () => {
    const path = place('truncated')
    const writer = rotatingWriter(path, { size: 1_000 }, { wall: 0, monotonic: 0 })
    for (let seq = 0; seq < 3; seq++) void writer.export(batchOf(numberedLines(1, seq)), undefined)
    truncateSync(path)
    for (let seq = 3; seq < 7; seq++) void writer.export(batchOf(numberedLines(1, seq)), undefined)
    expect(filesOf(path).map(({ text }) => sequenceOf(text))).toEqual([[3, 4, 5, 6]])
    expect(textOf(path)).not.toContain('\0')
  })
})

describe('loggers of one path', () => {
  test('two loggers of one path share a pipeline when the file was rotated between them', async () => {
    const path = place('between')
    const rotate = { size: 1_000_000 }
    const first = logger({ path, rotate })
    for (let index = 0; index < 5_000; index++) first.info('x'.repeat(300))
    await first.flush()
    expect(filesOf(path).length).toBeGreaterThan(1)
    const second = logger({ path, rotate: { size: 1_000_000 } })
    const files = filesOf(path).length
    for (let index = 0; index < 100; index++) [first, second][index % 2]!.info(`${index}`)
    await Promise.all([first.flush(), second.flush()])
    expect(filesOf(path)).toHaveLength(files)
    expect(messages(path).slice(-100)).toEqual(Array.from({ length: 100 }, (_, index) => `${index}`))
  })

  test('two loggers of one path share a pipeline when another program renamed the file, even by another path', async () => {
    const path = place('renamed')
    const first = logger({ path })
    first.info('a')
    await first.flush()
    renameSync(path, `${path}.1`)
    const second = logger({ path: `/proc/self/root${path}` })
    for (const [index, log] of [first, second, first, second].entries()) log.info(`${index}`)
    await Promise.all([first.flush(), second.flush()])
    expect([...messages(`${path}.1`), ...(existsSync(path) ? readFileSync(path, 'utf8').split('\n', 1) : [])]).toEqual([
      'a',
      '0',
      '1',
      '2',
      '3',
      '',
    ])
  })

  test('a logger of the renamed file does not share the pipeline of the logger that reopened its path', async () => {
    const path = place('left')
    const exporter = fileExporter({ path })
    const first = createLogger({ exporter }) as RootLogger
    loggers.push(first)
    renameSync(path, `${path}.1`)
    exporter.reopen()
    const second = logger({ path: `${path}.1` })
    first.info('first')
    second.info('second')
    await Promise.all([first.flush(), second.flush()])
    expect([messages(path), messages(`${path}.1`)]).toEqual([['first'], ['second']])
  })

  test.each([
    ['size', { size: 1_000_000 }, { size: 2_000_000 }],
    ['interval', { interval: 'daily' as const }, { interval: 'hourly' as const }],
    ['keep', { size: 1_000_000 }, { size: 1_000_000, keep: 3 }],
    ['compress', { size: 1_000_000 }, { size: 1_000_000, compress: 'gzip' as const }],
  ])('two loggers of one path cannot have different values of rotate.%s', (option, one, other) => {
    const path = place(`conflict-${option}`)
    logger({ path, rotate: one })
    let thrown: unknown
    try {
      logger({ path, rotate: other })
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(ConfigurationError)
    const { problems } = thrown as ConfigurationError
    expect(problems).toMatchObject([{ code: 'SLUICE_DESTINATION_CONFLICT', path: `exporter.rotate.${option}` }])
  })
})
