import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/create/create-logger.ts'
import { fileExporter, type FileExporterOptions } from '../../../src/exporters/file/file-exporter.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { batchOf, numberedLines } from '../../support/pipeline/batch.ts'
import { recordingHost } from '../../support/pipeline/exporter-host.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const [first, second, third] = numberedLines(3) as [string, string, string]

function started(name: string, options: Partial<FileExporterOptions> = {}) {
  const path = directory.path(name)
  const exporter = fileExporter({ path, ...options })
  const host = recordingHost()
  exporter.start!(host)
  return { path, exporter, host, text: () => readFileSync(path, 'utf8') }
}

describe('opening the file', () => {
  test('the file exists when fileExporter returns, and records are appended to it', () => {
    writeFileSync(directory.path('append'), first)
    const { exporter, text, path } = started('append')
    expect(exporter.export(batchOf([second]), undefined)).toEqual({ status: 'accepted' })
    expect(text()).toBe(first + second)
    const fresh = directory.path('fresh')
    fileExporter({ path: fresh })
    expect(statSync(fresh).mode & 0o777).toBe(0o644)
    expect(exporter).toMatchObject({ name: `file:${path}`, schedule: undefined, delivery: {} })
  })

  test('a newline is written first to a file that ends inside a line', () => {
    writeFileSync(directory.path('torn'), '{"seq":')
    const { exporter, text } = started('torn')
    exporter.export(batchOf([first]), undefined)
    expect(text()).toBe(`{"seq":\n${first}`)
  })

  test('the file and its directories are created with the mkdir and mode options', () => {
    const { path } = started('some/directories/file', { mkdir: true, mode: 0o600 })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('a file that cannot be opened is reported and retried with backoff', async () => {
    const { exporter, host, path, text } = started('missing/file')
    expect(host.diagnostics).toEqual([
      { code: 'SLUICE_WRITE_FAILED', message: `file:${path}: cannot open (ENOENT); retrying` },
    ])
    const pending = exporter.export(batchOf([first]), undefined)
    exporter.keepAlive!(true)
    mkdirSync(dirname(path))
    expect(await pending).toEqual({ status: 'accepted' })
    expect(text()).toBe(first)
  })

  test('a file that cannot be opened does not delay process exit', () => {
    const { exporter } = started('absent/file')
    const deadline = performance.now() + 2_000
    const result = exporter.exportSync!(batchOf([first]), deadline, true)
    expect(result).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
  })

  test('a named pipe without a reader does not block the process', () => {
    execFileSync('mkfifo', [directory.path('fifo')])
    expect(started('fifo').host.diagnostics).toMatchObject([{ message: expect.stringContaining('ENXIO') }])
  })
})

describe('reopen', () => {
  test('reopen continues in a new file at the same path', () => {
    const { exporter, path, text } = started('rotated')
    exporter.export(batchOf([first]), undefined)
    renameSync(path, `${path}.1`)
    exporter.export(batchOf([second]), undefined)
    exporter.reopen()
    exporter.export(batchOf([third]), undefined)
    expect(readFileSync(`${path}.1`, 'utf8')).toBe(first + second)
    expect(text()).toBe(third)
  })

  // Fault rows: 25
  test('reopen keeps the old file when the new one cannot be opened', () => {
    const { exporter, path, host } = started('kept/file', { mkdir: false })
    expect(host.diagnostics).toHaveLength(1)
    mkdirSync(dirname(path))
    exporter.reopen()
    exporter.export(batchOf([first]), undefined)
    renameSync(dirname(path), `${dirname(path)}-moved`)
    exporter.reopen()
    exporter.export(batchOf([second]), undefined)
    expect(readFileSync(`${dirname(path)}-moved/file`, 'utf8')).toBe(first + second)
    expect(host.diagnostics[1]!.message).toBe(`file:${path}: cannot reopen (ENOENT); the old file stays in use`)
  })

  test('reopen does nothing after the exporter is shut down', async () => {
    const { exporter, path } = started('over')
    await exporter.shutdown!()
    rmSync(path)
    exporter.reopen()
    expect(exporter.exportSync!(batchOf([first]), 0, true)).toMatchObject({ status: 'rejected' })
  })
})

describe('fsync', () => {
  test('export settles with fsync: batch only after fsync completes', async () => {
    const { exporter, text } = started('synced', { fsync: 'batch' })
    const batch = batchOf([first])
    const pending = exporter.export(batch, undefined)
    // The process may exit during fsync: the batch must not be written again.
    expect(exporter.exportSync!(batch, performance.now() + 1_000, true)).toEqual({ status: 'accepted' })
    expect(await pending).toEqual({ status: 'accepted' })
    expect(text()).toBe(first)
  })

  test('flush and shutdown complete with fsync: shutdown', async () => {
    const { exporter, text } = started('synced-late', { fsync: 'shutdown' })
    expect(exporter.export(batchOf([first]), undefined)).toEqual({ status: 'accepted' })
    await exporter.flush!()
    await exporter.shutdown!()
    expect(text()).toBe(first)
  })
})

test('all invalid options of fileExporter are listed in one error', () => {
  const wrong = { path: '', fsync: 'sometimes', maxQueueBytes: 0, mode: '644', rotation: {}, layout: 7 }
  let thrown: unknown
  try {
    fileExporter(wrong as unknown as FileExporterOptions)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(ConfigurationError)
  expect((thrown as ConfigurationError).problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'SLUICE_OPTION_RANGE fileExporter.path',
    'SLUICE_OPTION_RANGE fileExporter.fsync',
    'SLUICE_OPTION_RANGE fileExporter.maxQueueBytes',
    'SLUICE_OPTION_TYPE fileExporter.mode',
    'SLUICE_OPTION_UNKNOWN fileExporter.rotation',
    'SLUICE_OPTION_TYPE fileExporter.layout',
  ])
  expect(() => fileExporter({} as FileExporterOptions)).toThrow("fileExporter.path: is required; write path: 'app.log'")
  expect(() => fileExporter(undefined as unknown as FileExporterOptions)).toThrow(
    "fileExporter.path: is required; write path: 'app.log'",
  )
  expect(() => fileExporter('app.log' as unknown as FileExporterOptions)).toThrow(
    'fileExporter: must be an object with options, not a string',
  )
})

describe('rotation options', () => {
  test.each([
    [{}, ['SLUICE_OPTION_RANGE fileExporter.rotate: must have size, interval or both; write size: 10_000_000']],
    [
      { keep: 3 },
      ['SLUICE_OPTION_RANGE fileExporter.rotate: must have size, interval or both; write size: 10_000_000'],
    ],
    [
      { size: 999_999, interval: 999, keep: -1, compress: 'zip', every: 1 },
      [
        'SLUICE_OPTION_RANGE fileExporter.rotate.size: must be an integer of 1000000 or more, or Infinity, not 999999',
        'SLUICE_OPTION_RANGE fileExporter.rotate.interval: must be an integer from 1000 to 2147483647, not 999',
        'SLUICE_OPTION_RANGE fileExporter.rotate.keep: must be an integer of 0 or more, or Infinity, not -1',
        'SLUICE_OPTION_RANGE fileExporter.rotate.compress: must be one of gzip; did you mean "gzip"?',
        "SLUICE_OPTION_UNKNOWN fileExporter.rotate.every: unknown option; write interval: 'daily'",
      ],
    ],
    [
      { interval: 'day' },
      ['SLUICE_OPTION_RANGE fileExporter.rotate.interval: must be one of hourly, daily; did you mean "daily"?'],
    ],
    [
      { size: '10M', interval: null },
      [
        'SLUICE_OPTION_TYPE fileExporter.rotate.size: must be an integer of 1000000 or more, or Infinity, not a string; write 10000000',
        "SLUICE_OPTION_TYPE fileExporter.rotate.interval: must be 'hourly', 'daily' or a number of ms, not null",
      ],
    ],
    [null, ['SLUICE_OPTION_TYPE fileExporter.rotate: must be an object with options, not null']],
    [
      'daily',
      [
        "SLUICE_OPTION_TYPE fileExporter.rotate: must be an object with options, not a string; write rotate: { interval: 'daily' }",
      ],
    ],
  ])('the rotation options %j are rejected with all errors', (rotate, expected) => {
    let problems: readonly { code: string; path: string; message: string }[] = []
    try {
      fileExporter({ path: directory.path('refused'), rotate } as FileExporterOptions)
    } catch (error) {
      problems = (error as ConfigurationError).problems
    }
    expect(problems.map(({ code, path, message }) => `${code} ${path}: ${message}`)).toEqual(expected)
  })

  test.each([{ size: 1_000_000 }, { interval: 'hourly' }, { interval: 1_000, keep: 0, compress: 'gzip' }] as const)(
    'the rotation options %j are accepted',
    (rotate) => {
      const { destination } = fileExporter({ path: directory.path('taken'), rotate, reopenOn: 'SIGHUP' })
      expect(destination!.options).toMatchObject({ reopenOn: 'SIGHUP' })
    },
  )

  test('reopenOn rejects a signal other than SIGHUP and SIGUSR2', () => {
    const options = { path: directory.path('refused'), reopenOn: 'SIGUSR1' } as unknown as FileExporterOptions
    expect(() => fileExporter(options)).toThrow('fileExporter.reopenOn: must be one of SIGHUP, SIGUSR2')
  })
})

test('two exporters of one file have the same key and expose the options that must match', () => {
  const path = directory.path('same')
  appendFileSync(path, '')
  const one = fileExporter({ path, onFull: 'block', level: 'warn' }).destination!
  const two = fileExporter({ path }).destination!
  expect(one.key).toBe(two.key)
  expect(one.options).toEqual({ onFull: 'block' })
  expect(two.options).toEqual({})
})

test('with fsync: batch no record counts as written before the turn ends, even when the queue is full', async () => {
  const path = directory.path('durable-burst')
  const exporter = fileExporter({ path, fsync: 'batch', maxQueueBytes: 20_000, onFull: 'dropNewest' })
  const log = createLogger({ exporter, onDiagnostic() {}, handleExit: false })
  for (let seq = 0; seq < 1_000; seq++) log.info('burst', { seq })
  expect(log.stats()).toMatchObject({ written: 0, unknown: 0 })
  await log.shutdown()
  const { written, dropped } = log.stats()
  expect(written).toBeGreaterThan(0)
  expect(written + dropped.total).toBeGreaterThanOrEqual(1_000)
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(written)
})
