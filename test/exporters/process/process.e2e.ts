import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { createLogger } from '../../../src/entries/index.ts'
import { fileExporter, processExporter, type ProcessExporterOptions } from '../../../src/entries/exporters.ts'
import type { RootLogger } from '../../../src/logger/types.ts'
import type { Exporter } from '../../../src/pipeline/exporter.ts'
import { ConfigurationError } from '../../../src/options/configuration-error.ts'
import { batchOf, numberedLines, sequenceOf } from '../../support/pipeline/batch.ts'
import { importOf, runChild, runModule } from '../../support/processes/child.ts'
import { needs } from '../../support/needs.ts'
import { recordingHost, type RecordingHost } from '../../support/pipeline/exporter-host.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { waitUntil as untilIn } from '../../support/wait-until.ts'
import { hasEnded, writersOf } from './writers.ts'

const limited = needs('prlimit', spawnSync('prlimit', ['--version']).status === 0)
/** Allows for delays on a busy machine. */
const until = (holds: () => boolean): Promise<void> => untilIn(holds, 20_000)
let directory: TemporaryDirectory
const open: (RootLogger | Exporter)[] = []
beforeAll(() => {
  directory = temporaryDirectory()
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.shutdown!()
})
afterAll(() => directory.remove())

function logging(options: ProcessExporterOptions, logger: object = {}): RootLogger {
  const log = createLogger({ ...logger, exporter: processExporter(options), handleExit: false })
  open.push(log)
  return log
}

function started(options: ProcessExporterOptions): { exporter: Exporter; host: RecordingHost } {
  const exporter = processExporter(options)
  const host = recordingHost()
  exporter.start!(host)
  open.push(exporter)
  return { exporter, host }
}

const linesOf = (path: string): { attributes: { seq: number } }[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

function problemsWith(options: object): { code: string; path: string }[] {
  try {
    processExporter(options)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems.map(({ code, path }) => ({ code, path }))
  }
  return []
}

describe('options of processExporter', () => {
  test.each([
    [{ path: 1 }, 'SLUICE_OPTION_TYPE', 'path'],
    [{ file: 'x' }, 'SLUICE_OPTION_UNKNOWN', 'file'],
    [{ path: 'x', fd: 1 }, 'SLUICE_OPTION_CONFLICT', 'fd'],
    [{ fd: 1, mkdir: true }, 'SLUICE_OPTION_CONFLICT', 'mkdir'],
    [{ windowBytes: 0 }, 'SLUICE_OPTION_RANGE', 'windowBytes'],
    [{ restart: { maxDelayMillis: -1 } }, 'SLUICE_OPTION_RANGE', 'restart.maxDelayMillis'],
    [{ writerFile: 5 }, 'SLUICE_OPTION_TYPE', 'writerFile'],
    [{ writerFile: '/no/such/file.mjs' }, 'SLUICE_WRITER_MISSING', 'writerFile'],
  ])('the options %j are rejected with %s', (options, code, name) => {
    expect(problemsWith(options)).toEqual([{ code, path: `processExporter.${name}` }])
  })

  test('processExporter creates the file with its directories and mode, and starts no process', () => {
    const before = writersOf(process.pid)
    processExporter({ path: directory.path('a/b/new'), mkdir: true, mode: 0o600 })
    expect(statSync(directory.path('a/b/new')).mode & 0o777).toBe(0o600)
    expect(writersOf(process.pid)).toEqual(before)
  })

  test('writerFile accepts a path or a URL', async () => {
    const program = new URL('../../../src/exporters/process/writer-process.ts', import.meta.url)
    const log = logging({ path: directory.path('named'), writerFile: program })
    log.info('x', { seq: 0 })
    expect(await log.flush()).toMatchObject({ ok: true })
    expect(linesOf(directory.path('named'))).toHaveLength(1)
    expect(() => processExporter({ writerFile: pathToFileURL(directory.path('none')) })).toThrow(ConfigurationError)
  })
})

describe('shared destinations', () => {
  test('two loggers with the same file share a writer process and keep the order of their calls', async () => {
    const path = directory.path('shared')
    const before = writersOf(process.pid).length
    const [one, two] = [logging({ path }), logging({ path })]
    for (let seq = 0; seq < 100; seq++) (seq % 2 === 0 ? one : two).info('x', { seq })
    await Promise.all([one.flush(), two.flush()])
    expect(linesOf(path).map(({ attributes }) => attributes.seq)).toEqual([...Array(100).keys()])
    expect(writersOf(process.pid)).toHaveLength(before + 1)
  })

  test('a file that this process already writes to is rejected', () => {
    const path = directory.path('taken')
    open.push(createLogger({ exporter: fileExporter({ path }) }))
    expect(() => logging({ path })).toThrow(/writer = the default, not "a process"/)
  })
})

describe('batches', () => {
  test('a batch is accepted only when it is in the file', async () => {
    const path = directory.path('answer')
    const { exporter } = started({ path })
    const answer = exporter.export(batchOf(numberedLines(3)), undefined)
    exporter.keepAlive!(true)
    expect(readFileSync(path, 'utf8')).toBe('')
    expect(await answer).toEqual({ status: 'accepted' })
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([0, 1, 2])
  })

  test('exportSync writes a batch without the event loop, even if export has begun it', () => {
    const path = directory.path('sync')
    const { exporter } = started({ path })
    const [first, second] = [batchOf(numberedLines(3)), batchOf(numberedLines(3, 3))]
    void exporter.export(first, undefined)
    expect(exporter.exportSync!(first, performance.now() + 5_000, false)).toEqual({ status: 'accepted' })
    expect(exporter.exportSync!(second, performance.now() + 5_000, true)).toEqual({ status: 'accepted' })
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('a batch that is aborted while the writer has it is unknown, and the next one is written after it', async () => {
    const path = directory.path('given-up')
    const before = writersOf(process.pid)
    const { exporter } = started({ path })
    const writer = writersOf(process.pid).find((pid) => !before.includes(pid))!
    process.kill(writer, 'SIGSTOP')
    const controller = new AbortController()
    // Larger than the socket buffer: the rest of the frame is sent before the next one.
    const pending = exporter.export(batchOf(numberedLines(1_000)), controller.signal)
    controller.abort()
    expect(await pending).toEqual({ status: 'unknown', accepted: 0 })
    const next = exporter.export(batchOf(numberedLines(2, 1_000)), undefined)
    exporter.keepAlive!(true)
    process.kill(writer, 'SIGCONT')
    expect(await next).toEqual({ status: 'accepted' })
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([...Array(1_002).keys()])
  })

  test('a batch of a killed writer is written by the parent process and counts as maybeDuplicated', async () => {
    const path = directory.path('twice')
    const before = writersOf(process.pid)
    const { exporter, host } = started({ path })
    const writer = writersOf(process.pid).find((pid) => !before.includes(pid))!
    process.kill(writer, 'SIGSTOP')
    const pending = exporter.export(batchOf(numberedLines(3)), undefined)
    exporter.keepAlive!(true)
    process.kill(writer, 'SIGKILL')
    expect(await pending).toEqual({ status: 'accepted', maybeDuplicated: 3 })
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([0, 1, 2])
    await until(() => host.diagnostics.length > 0)
    const message = `process:${path}: the writer process exited (SIGKILL); this process writes until another one is started`
    expect(host.diagnostics).toEqual([{ code: 'SLUICE_WRITER_FAILED', message }])
  })

  test('exportSync writes the batch of a killed writer without the event loop', async () => {
    const path = directory.path('twice-sync')
    const before = writersOf(process.pid)
    const { exporter } = started({ path })
    const writer = writersOf(process.pid).find((pid) => !before.includes(pid))!
    const batch = batchOf(numberedLines(3))
    void exporter.export(batch, undefined)
    process.kill(writer, 'SIGKILL')
    const result = exporter.exportSync!(batch, performance.now() + 5_000, true)
    // The kill may come before or after the write.
    expect([{ status: 'accepted' }, { status: 'accepted', maybeDuplicated: 3 }]).toContainEqual(result)
    expect(new Set(sequenceOf(readFileSync(path, 'utf8')))).toEqual(new Set([0, 1, 2]))
  })

  test('a new writer process is used after the restart delay, and the order of records is kept', async () => {
    const path = directory.path('next')
    const before = writersOf(process.pid)
    const { exporter } = started({ path, restart: { initialDelayMillis: 1 } })
    exporter.keepAlive!(true)
    const liveWriters = () => writersOf(process.pid).filter((pid) => !before.includes(pid) && !hasEnded(pid))
    for (let round = 0; round < 3; round++) {
      const [writer] = liveWriters()
      process.kill(writer!, 'SIGKILL')
      await until(() => liveWriters().length === 0)
      await exporter.export(batchOf(numberedLines(1, 2 * round)), undefined)
      await new Promise((resolve) => setTimeout(resolve, 20))
      await exporter.export(batchOf(numberedLines(1, 2 * round + 1)), undefined)
      expect(liveWriters()).toHaveLength(1)
    }
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('a batch is written by the parent process when no writer process can be started', async () => {
    const path = directory.path('no-node')
    const { execPath } = process
    process.execPath = directory.path('absent')
    try {
      const { exporter, host } = started({ path, restart: { initialDelayMillis: 60_000 } })
      expect(exporter.export(batchOf(numberedLines(2)), undefined)).toEqual({ status: 'accepted' })
      await until(() => host.diagnostics.length > 0)
      expect(exporter.export(batchOf(numberedLines(2, 2)), undefined)).toEqual({ status: 'accepted' })
      expect(host.diagnostics).toMatchObject([
        { message: expect.stringContaining('the writer process could not be started (ENOENT)') },
      ])
    } finally {
      process.execPath = execPath
    }
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([0, 1, 2, 3])
  })

  test('a writer process that was started without a socket is reported once', async () => {
    const childProcess = process.getBuiltinModule('node:child_process')
    const { spawn } = childProcess
    const exits: Promise<unknown>[] = []
    const spawnWithoutSocket = (...args: Parameters<typeof spawn>) => {
      const child = spawn(...args)
      exits.push(once(child, 'exit'))
      ;(child.stdio[3] as Socket).destroy()
      return child
    }
    childProcess.spawn = spawnWithoutSocket as typeof spawn
    try {
      const { exporter, host } = started({ path: directory.path('no-socket'), restart: { initialDelayMillis: 60_000 } })
      expect(exporter.export(batchOf(numberedLines(1)), undefined)).toEqual({ status: 'accepted' })
      await Promise.all(exits)
      expect(host.diagnostics).toMatchObject([
        { message: expect.stringContaining('could not be started (no file descriptor for its socket)') },
      ])
    } finally {
      childProcess.spawn = spawn
    }
    expect(exits).toHaveLength(1)
  })

  test('a batch does not wait for a writerFile that is not a writer', async () => {
    const writerFile = directory.path('stranger.mjs')
    writeFileSync(
      writerFile,
      `import { writeSync } from 'node:fs'; writeSync(3, 'x'.repeat(100)); setInterval(() => {}, 1000)`,
    )
    const path = directory.path('stranger')
    const { exporter, host } = started({ path, writerFile })
    exporter.keepAlive!(true)
    expect(await exporter.export(batchOf(numberedLines(2)), undefined)).toMatchObject({ status: 'accepted' })
    await until(() => host.diagnostics.length > 0)
    expect(host.diagnostics[0]!.message).toContain('the writer process exited (SIGKILL)')
    expect(sequenceOf(readFileSync(path, 'utf8'))).toEqual([0, 1])
  })

  // Fault rows: 25
  limited('a batch stays queued while no descriptor is available for a process or the file', async () => {
    const path = directory.path('no-descriptor')
    writeFileSync(path, '')
    const program = directory.path('no-descriptor.mjs')
    writeFileSync(
      program,
      `import { closeSync, openSync } from 'node:fs'
       ${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ processExporter }', 'src/entries/exporters.ts')}
       const problems = []
       const exporter = processExporter({ path: ${JSON.stringify(path)} })
       const open = []
       try { for (;;) open.push(openSync('/dev/null')) } catch {}
       const log = createLogger({ exporter, onDiagnostic: ({ code }) => problems.push(code) })
       for (let seq = 0; seq < 100; seq++) log.info('x', { seq })
       await new Promise((resolve) => setTimeout(resolve, 20))
       const { written } = log.stats()
       for (const fd of open) closeSync(fd)
       const { ok } = await log.flush()
       console.log(JSON.stringify({ written, ok, problems: [...new Set(problems)].sort() }))`,
    )
    const ended = await runChild({ command: 'prlimit', args: ['--nofile=128', process.execPath, program] })
    expect(JSON.parse(ended.stdout)).toEqual({
      written: 0,
      ok: true,
      problems: ['SLUICE_WRITER_FAILED', 'SLUICE_WRITE_FAILED'],
    })
    expect(linesOf(path)).toHaveLength(100)
  })

  test('a very long record is written whole', async () => {
    const path = directory.path('long')
    const log = logging({ path }, { limits: { recordBytes: 16 * 1024 * 1024 } })
    const pad = 'é'.repeat(2_500_000)
    for (let seq = 0; seq < 3; seq++) log.info('x', { seq, pad })
    log.info('x', { seq: 3 })
    expect(await log.flush()).toMatchObject({ ok: true })
    const lines = linesOf(path) as { attributes: { seq: number; pad?: string } }[]
    expect(lines.map(({ attributes }) => attributes.seq)).toEqual([0, 1, 2, 3])
    expect(lines.slice(0, 3).every(({ attributes }) => attributes.pad === pad)).toBe(true)
  })

  test.each(['batch', 'shutdown'] as const)('a batch is written with fsync: %s', async (fsync) => {
    const path = directory.path(`fsync-${fsync}`)
    const log = logging({ path, fsync })
    log.info('x', { seq: 0 })
    expect(await log.flush()).toMatchObject({ ok: true })
    await log.shutdown()
    expect(linesOf(path)).toHaveLength(1)
  })

  test('a batch after an unfinished line of an earlier process begins on a new line', async () => {
    const path = directory.path('torn')
    writeFileSync(path, '{"half')
    const log = logging({ path })
    log.info('x', { seq: 0 })
    await log.flush()
    expect(readFileSync(path, 'utf8')).toMatch(/^\{"half\n\{"timestamp.*\n$/)
  })

  test('a batch waits for a file that cannot be opened, and the writer error is reported in the parent process', async () => {
    const path = directory.path('missing/file')
    const { exporter, host } = started({ path })
    const pending = exporter.export(batchOf(numberedLines(1)), undefined)
    exporter.keepAlive!(true)
    await until(() => host.diagnostics.length > 0)
    const message = `process:${path}: cannot open (ENOENT); retrying`
    expect(host.diagnostics[0]).toEqual({ code: 'SLUICE_WRITE_FAILED', message })
    mkdirSync(directory.path('missing'))
    expect(await pending).toEqual({ status: 'accepted' })
  })
})

describe('threads and forks', () => {
  // Fault rows: 20
  test('a worker thread has its own writer process, and process.exit in the thread loses no record', async () => {
    const path = directory.path('thread')
    const inner = `${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ processExporter }', 'src/entries/exporters.ts')}
      const log = createLogger({ exporter: processExporter({ path: ${JSON.stringify(path)} }) })
      for (let seq = 0; seq < 2000; seq++) log.info('x', { seq })
      process.exit()`
    const { stderr, code } = await runModule(`
      import { Worker } from 'node:worker_threads'
      const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(inner)})))
      worker.on('exit', () => console.error('thread ended'))`)
    expect({ stderr, code }).toEqual({ stderr: 'thread ended\n', code: 0 })
    expect(linesOf(path).map(({ attributes }) => attributes.seq)).toEqual([...Array(2_000).keys()])
  })

  // Fault rows: 23
  test('a process that is forked while records are queued does not write them again', async () => {
    const path = directory.path('fork')
    const program = directory.path('fork.mjs')
    writeFileSync(
      program,
      `import { fork } from 'node:child_process'
       ${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ processExporter }', 'src/entries/exporters.ts')}
       const log = createLogger({ exporter: processExporter({ path: ${JSON.stringify(path)} }), attributes: { pid: process.pid } })
       for (let seq = 0; seq < 500; seq++) log.info('x', { seq })
       if (process.argv[2] === undefined) fork(${JSON.stringify(program)}, ['forked'])
       for (let seq = 500; seq < 1000; seq++) log.info('x', { seq })`,
    )
    const { stderr, code } = await runChild({ args: [program] })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const byPid = Map.groupBy(
      linesOf(path) as unknown as { attributes: { seq: number; pid: number } }[],
      ({ attributes }) => attributes.pid,
    )
    expect(byPid.size).toBe(2)
    for (const lines of byPid.values()) {
      expect(lines.map(({ attributes }) => attributes.seq)).toEqual([...Array(1_000).keys()])
    }
  })
})
