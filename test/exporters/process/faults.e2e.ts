import { existsSync, readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { startFaultChild, type FaultChild, type FaultChildPlan } from '../../faults/harness/fault-child.ts'
import { findMismatches, readSink, countSequence, type ReportedStats } from '../../faults/harness/oracle.ts'
import type { ProcessOptions } from '../../faults/subjects/sluice-process.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { needs } from '../../support/needs.ts'
import {
  stallingPipe,
  temporaryDirectory,
  type StallingPipe,
  type TemporaryDirectory,
} from '../../support/files/pipes.ts'
import { waitUntil as untilIn } from '../../support/wait-until.ts'
import { bytesWrittenBy, hasEnded, isGone, writersOf } from './writers.ts'

const onLinux = needs('a /proc as Linux has it', existsSync('/proc/self/stat'))
const run = 'process'
/** Allows for delays on a busy machine. */
const until = (holds: () => boolean): Promise<void> => untilIn(holds, 20_000)

let directory: TemporaryDirectory
let names = 0
const children: FaultChild[] = []
/** Stopped writers, which outlive their process. */
const stopped: number[] = []
const pipes: StallingPipe[] = []
beforeAll(() => {
  directory = temporaryDirectory()
})
afterEach(() => {
  const loggers = children.splice(0).map(({ pid }) => pid)
  const writers = loggers.flatMap((pid) => writersOf(pid))
  for (const pid of [...loggers, ...writers, ...stopped.splice(0)]) if (!hasEnded(pid)) process.kill(pid, 'SIGKILL')
  for (const pipe of pipes.splice(0)) pipe.close()
})
afterAll(() => directory.remove())

interface Logging {
  readonly child: FaultChild
  /** The first writer process. */
  readonly writer: number
  readonly path: string
  /** The content of the file. */
  text(): string
}

async function toFile(options: ProcessOptions = {}, plan: Partial<FaultChildPlan> = {}): Promise<Logging> {
  const path = directory.path(`file-${++names}`)
  const child = await startFaultChild({
    subject: 'sluice-process',
    run,
    sink: { to: 'file', path },
    options,
    ...plan,
  })
  children.push(child)
  return { child, writer: writersOf(child.pid)[0]!, path, text: () => readFileSync(path, 'utf8') }
}

/** Logs to a pipe that only the test reads. */
async function toPipe(options: ProcessOptions = {}): Promise<Omit<Logging, 'text' | 'path'> & { pipe: StallingPipe }> {
  const pipe = stallingPipe(directory.path(`pipe-${++names}`))
  pipes.push(pipe)
  const child = await startFaultChild({
    subject: 'sluice-process',
    run,
    sink: { to: 'stdout' },
    options,
    stdout: pipe.fd,
  })
  children.push(child)
  return { child, writer: writersOf(child.pid)[0]!, pipe }
}

/** The differences between the sink and the delivery statistics of a process that has ended. */
async function wrongAfterEnd({ child }: { child: FaultChild }, text: () => string, torn = 0): Promise<string[]> {
  await child.ended
  return findMismatches(readSink(text(), run), new Map([[child.pid, child.stats!]]), torn)
}

function stop(writer: number): void {
  stopped.push(writer)
  process.kill(writer, 'SIGSTOP')
}

async function deliveryStatsOf(child: FaultChild): Promise<ReportedStats> {
  await child.request({ do: 'stats' })
  return child.stats!
}

/** Logs 400 records, so that one batch and a part of the next fill the pipe and the writer has the rest. */
async function fill(child: FaultChild, writer: number): Promise<void> {
  await child.request({ do: 'log', count: 200 })
  expect(await child.request({ do: 'flush' })).toMatchObject({ ok: true })
  const before = bytesWrittenBy(writer)
  await child.request({ do: 'log', count: 200 })
  const deliveryStats = await deliveryStatsOf(child)
  expect(deliveryStats).toMatchObject({ written: 200, queued: 200 })
  await until(() => bytesWrittenBy(writer) > before + 1_000)
}

/** Kills each writer within 120 ms while `count` records are logged. Returns the number of killed writers. */
async function killWriters(child: FaultChild, count: number): Promise<number> {
  const logging = { isOver: false }
  const logged = child.request({ do: 'log', count, perTurn: 40, everyMillis: 2 }).finally(() => (logging.isOver = true))
  const killed = new Set<number>()
  while (!logging.isOver) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
    for (const writer of writersOf(child.pid).filter((pid) => !hasEnded(pid))) {
      process.kill(writer, 'SIGKILL')
      killed.add(writer)
    }
  }
  await logged
  return killed.size
}

const linesIn = (text: string): number => text.split('\n').length - 1

describe('writer process and a blocked event loop', () => {
  // Fault rows: 27
  onLinux('the writer delivers its batches to a slow reader while the event loop is blocked', async () => {
    const { child, writer, pipe } = await toPipe()
    await fill(child, writer)
    let isBlocked = true
    const blocked = child.request({ do: 'block', millis: 3_000 }).then(() => (isBlocked = false))
    let text = ''
    await until(() => linesIn((text += pipe.readAll())) >= 400)
    expect(isBlocked).toBe(true)
    expect(text.length).toBeGreaterThan(65_536)
    await blocked
    child.send({ do: 'exit' })
    expect(await wrongAfterEnd({ child }, () => text)).toEqual([])
  })

  test('records of a long turn are written to the file before the turn ends', async () => {
    const path = directory.path('long-turn')
    const ended = await runModule(`
      import { statSync } from 'node:fs'
      ${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ processExporter }', 'src/entries/exporters.ts')}
      const path = ${JSON.stringify(path)}
      const log = createLogger({ exporter: processExporter({ path }) })
      let seq = 0
      // Below the queue limit, because a full queue would be drained anyway.
      while (statSync(path).size < 500_000 && seq < 50_000) {
        const { size } = statSync(path)
        for (let end = seq + 300; seq < end; seq++) log.info('x', { seq, pad: 'x'.repeat(160) })
        for (const end = performance.now() + 50; performance.now() < end && statSync(path).size === size;) continue
      }
      console.log(statSync(path).size)`)
    expect(Number(ended.stdout)).toBeGreaterThanOrEqual(500_000)
  })
})

describe('writer processes that are killed repeatedly', () => {
  const restart = { initialDelayMillis: 1, maxDelayMillis: 20 }

  // Fault rows: 18
  onLinux('killed writers lose no record of a file, count duplicates and write torn lines again', async () => {
    const { child, text } = await toFile({ exporter: { restart } })
    const killed = await killWriters(child, 40_000)
    expect(killed).toBeGreaterThan(5)
    expect(await child.request({ do: 'flush' })).toMatchObject({ ok: true })
    child.send({ do: 'exit' })
    expect(await wrongAfterEnd({ child }, text, killed)).toEqual([])
    expect(countSequence(readSink(text(), run), child.pid)).toMatchObject({ unique: 40_000 })
    expect(child.stats).toMatchObject({ emitted: 40_000, written: 40_000 })
    expect(child.stderr).toContain('SLUICE_WRITER_FAILED')
  })

  // Fault rows: 18
  onLinux('killed writers lose no record of a pipe and write torn lines again', async () => {
    const { child, pipe } = await toPipe({ exporter: { restart } })
    let text = ''
    const reading = setInterval(() => (text += pipe.readAll()), 5)
    const killed = await killWriters(child, 40_000)
    expect(await child.request({ do: 'flush' })).toMatchObject({ ok: true })
    child.send({ do: 'exit' })
    await child.ended
    clearInterval(reading)
    text += pipe.readAll()
    expect(await wrongAfterEnd({ child }, () => text, killed)).toEqual([])
    expect(countSequence(readSink(text, run), child.pid)).toMatchObject({ unique: 40_000, disorder: 0 })
  })

  // Fault rows: 18
  onLinux('a partial line of a killed writer is ended in a pipe, and its batch is written again', async () => {
    // By default each system call writes whole lines.
    const { child, writer, pipe } = await toPipe({ exporter: { sharedPipe: false } })
    await fill(child, writer)
    process.kill(writer, 'SIGKILL')
    await until(() => isGone(writer))
    let text = ''
    const reading = setInterval(() => (text += pipe.readAll()), 5)
    expect(await child.request({ do: 'flush' })).toMatchObject({ ok: true })
    child.send({ do: 'exit' })
    await child.ended
    clearInterval(reading)
    text += pipe.readAll()
    expect(await wrongAfterEnd({ child }, () => text, 1)).toEqual([])
    // No record follows on the partial line, because it would be corrupted.
    const [half] = readSink(text, run).torn
    expect(half!.lastIndexOf('{"timestamp"')).toBe(0)
    expect(child.stats).toMatchObject({ written: 400, maybeDuplicated: 200 })
  })

  // Fault rows: 18
  onLinux('a killed writer leaves only whole lines in a pipe by default, and its batch is written again', async () => {
    const { child, writer, pipe } = await toPipe()
    await fill(child, writer)
    process.kill(writer, 'SIGKILL')
    await until(() => isGone(writer))
    let text = ''
    const reading = setInterval(() => (text += pipe.readAll()), 5)
    expect(await child.request({ do: 'flush' })).toMatchObject({ ok: true })
    child.send({ do: 'exit' })
    await child.ended
    clearInterval(reading)
    text += pipe.readAll()
    expect(readSink(text, run).torn).toEqual([])
    expect(child.stats).toMatchObject({ written: 400, maybeDuplicated: 200 })
  })

  onLinux('a killed writer leaves no zombie process', async () => {
    const { child, writer } = await toFile()
    process.kill(writer, 'SIGKILL')
    await until(() => isGone(writer))
    expect(writersOf(child.pid)).toEqual([])
    await child.request({ do: 'log', count: 1 })
    await child.request({ do: 'flush' })
    expect(await deliveryStatsOf(child)).toMatchObject({ written: 1 })
  })
})

describe('writer processes that are stopped', () => {
  // Fault rows: 11
  onLinux('a stopped writer does not block log calls and writes all records after it resumes', async () => {
    const { child, writer, text } = await toFile()
    stop(writer)
    const { longestTurn } = await child.request<'logged'>({ do: 'log', count: 20_000, perTurn: 100 })
    expect(longestTurn).toBeLessThan(2_000)
    const deliveryStats = await deliveryStatsOf(child)
    expect(deliveryStats).toMatchObject({ emitted: 20_000, written: 0, queued: 20_000, dropped: { total: 0 } })
    process.kill(writer, 'SIGCONT')
    expect(await child.request({ do: 'flush' })).toMatchObject({ ok: true })
    child.send({ do: 'exit' })
    expect(await wrongAfterEnd({ child }, text)).toEqual([])
    expect(child.stats).toMatchObject({ written: 20_000 })
  })

  // Fault rows: 10
  onLinux('a stopped writer fills its window and then the queue, where onFull applies', async () => {
    const { child, writer, text } = await toFile({ exporter: { maxQueueBytes: 500_000 } })
    stop(writer)
    const { longestTurn } = await child.request<'logged'>({ do: 'log', count: 20_000, perTurn: 100 })
    expect(longestTurn).toBeLessThan(2_000)
    const deliveryStats = await deliveryStatsOf(child)
    expect(deliveryStats.dropped.byReason['queue_full']).toBe(deliveryStats.dropped.total)
    expect(deliveryStats.queued + deliveryStats.dropped.total).toBe(20_000)
    process.kill(writer, 'SIGCONT')
    await child.request({ do: 'flush' })
    child.send({ do: 'exit' })
    expect(await wrongAfterEnd({ child }, text)).toEqual([])
    expect(child.stats!.written).toBeGreaterThanOrEqual(deliveryStats.queued)
  })

  onLinux('the process waits exitTimeoutMillis for a stopped writer, whose records count as unknown', async () => {
    const { child, writer, text } = await toFile({ logger: { exitTimeoutMillis: 300 } })
    stop(writer)
    await child.request({ do: 'log', count: 1_000 })
    const start = performance.now()
    child.send({ do: 'exit', code: 3 })
    await until(() => hasEnded(child.pid))
    expect(performance.now() - start).toBeLessThan(5_000)
    const { written, unknown, dropped } = child.stats!
    expect({ written, rest: unknown + dropped.total }).toEqual({ written: 0, rest: 1_000 })
    expect(unknown).toBeGreaterThan(0)
    expect(dropped.byReason['exit_deadline']).toBe(dropped.total)
    process.kill(writer, 'SIGCONT')
    await until(() => hasEnded(writer))
    expect(await child.ended).toEqual({ code: 3, signal: null })
    // The writer writes the complete batches that it received.
    const { unique } = countSequence(readSink(text(), run), child.pid)
    expect(unique).toBeGreaterThan(0)
    expect(unique).toBeLessThanOrEqual(unknown)
  })
})

describe('writers of a killed process', () => {
  // Fault rows: 18
  onLinux('the writer of a killed process writes all received records and exits', async () => {
    const { child, writer, text } = await toFile()
    stop(writer)
    await child.request({ do: 'log', count: 200 })
    await child.request({ do: 'stats' })
    child.kill('SIGKILL')
    await until(() => hasEnded(child.pid))
    expect(text()).toBe('')
    process.kill(writer, 'SIGCONT')
    await until(() => hasEnded(writer))
    expect(countSequence(readSink(text(), run), child.pid)).toEqual({ unique: 200, duplicates: 0, disorder: 0 })
  })

  onLinux('the writer of a killed process waits for a slow reader and writes all its records', async () => {
    const { child, writer, pipe } = await toPipe()
    await fill(child, writer)
    child.kill('SIGKILL')
    await until(() => hasEnded(child.pid))
    let text = ''
    await until(() => {
      text += pipe.readAll()
      return hasEnded(writer)
    })
    text += pipe.readAll()
    expect(text.length).toBeGreaterThan(65_536)
    expect(countSequence(readSink(text, run), child.pid)).toEqual({ unique: 400, duplicates: 0, disorder: 0 })
  })

  // Fault rows: 11
  onLinux('the writer of a killed process stops after drainMillis and reports the lost records', async () => {
    const { child, writer, pipe } = await toPipe({ exporter: { drainMillis: 300 } })
    await fill(child, writer)
    child.kill('SIGKILL')
    await until(() => hasEnded(writer))
    await child.ended
    const [, given] = /SLUICE_RECORDS_LOST: (\d+) records/.exec(child.stderr) ?? []
    expect(Number(given)).toBeGreaterThan(0)
    expect(linesIn(pipe.readAll()) + Number(given)).toBe(400)
  })
})

describe('exit of a process with a writer', () => {
  // Fault rows: 15, 16, 17
  test.each([
    ['normal exit', { do: 'end' }, { code: 0, signal: null }],
    ['process.exit', { do: 'exit', code: 3 }, { code: 3, signal: null }],
    ['an exception', { do: 'throw' }, { code: 1, signal: null }],
    ['a rejection', { do: 'reject' }, { code: 1, signal: null }],
    ['SIGTERM', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
    ['SIGINT', 'SIGINT', { code: null, signal: 'SIGINT' }],
    ['SIGHUP', 'SIGHUP', { code: null, signal: 'SIGHUP' }],
  ] as const)('a process that ends by %s loses no record, keeps its code and ends the writer', async (_, way, end) => {
    const { child, writer, text } = await toFile()
    if (typeof way === 'string') {
      await child.request({ do: 'log', count: 2_000 })
      child.kill(way)
    } else {
      child.send({ do: 'log', count: 2_000 })
      child.send(way)
    }
    expect(await child.ended).toEqual(end)
    expect(await wrongAfterEnd({ child }, text)).toEqual([])
    expect(child.stats).toMatchObject({ emitted: 2_000, written: 2_000 })
    await until(() => hasEnded(writer))
  })

  test('an idle writer does not delay process exit', async () => {
    const { child } = await toFile()
    await child.request({ do: 'log', count: 10 })
    await child.request({ do: 'flush' })
    const start = performance.now()
    child.send({ do: 'end' })
    await child.ended
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  // Fault rows: 11
  test('a process exits in time and counts its records when the pipe is not read', async () => {
    const { child, writer, pipe } = await toPipe({ logger: { exitTimeoutMillis: 500 } })
    await child.request({ do: 'log', count: 2_000 })
    const start = performance.now()
    child.send({ do: 'exit', code: 3 })
    expect(await child.ended).toEqual({ code: 3, signal: null })
    expect(performance.now() - start).toBeLessThan(5_000)
    await until(() => hasEnded(writer))
    const { written, unknown, dropped } = child.stats!
    expect(written + unknown + dropped.total).toBe(2_000)
    const { unique } = countSequence(readSink(pipe.readAll(), run), child.pid)
    expect(unique).toBeGreaterThanOrEqual(written)
    expect(unique).toBeLessThanOrEqual(written + unknown)
  })

  onLinux('a signal to the process group does not end the writer before it has written all records', async () => {
    const { child, writer, text } = await toFile({}, { wrap: ['setsid'] })
    await child.request({ do: 'log', count: 1_000 })
    await child.request({ do: 'flush' })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(writer, signal)
    await child.request({ do: 'log', count: 1_000 })
    process.kill(-child.pid, 'SIGTERM')
    expect((await child.ended).signal).toBe('SIGTERM')
    expect(await wrongAfterEnd({ child }, text)).toEqual([])
    expect(child.stats).toMatchObject({ written: 2_000, maybeDuplicated: 0 })
    expect(child.stderr).toBe('')
  })
})

describe('failures of the writer', () => {
  // Fault rows: 7
  test('a full disk is counted and reported, and does not delay exit', async () => {
    const child = await startFaultChild({
      subject: 'sluice-process',
      run,
      sink: { to: 'file', path: '/dev/full' },
      options: { logger: { exitTimeoutMillis: 8_000 } },
    })
    await child.request({ do: 'log', count: 2_000 })
    await until(() => child.stderr.includes('SLUICE_WRITE_FAILED'))
    const start = performance.now()
    child.send({ do: 'exit', code: 3 })
    expect(await child.ended).toEqual({ code: 3, signal: null })
    expect(performance.now() - start).toBeLessThan(5_000)
    expect(child.stats).toMatchObject({ written: 0, unknown: 0, queued: 0 })
    expect(child.stats!.dropped.byReason['io_error']).toBe(2_000)
    expect(child.stderr).toContain('process:/dev/full: cannot write (ENOSPC); retrying')
    expect(child.stderr).toContain('2000 records could not be written')
  })

  // Fault rows: 12
  test('the logging process counts records as dropped when the reader has closed the pipe', async () => {
    const { child, pipe } = await toPipe()
    pipe.closeReader()
    await child.request({ do: 'log', count: 100 })
    await child.request({ do: 'flush' })
    child.send({ do: 'exit' })
    await child.ended
    expect(child.stats).toMatchObject({ written: 0, dropped: { total: 100, byReason: { io_error: 100 } } })
    expect(child.stderr).toContain('cannot write (EPIPE); later records are lost')
  })

  test('the logging process writes and reports it once when no process can be started', async () => {
    const nodeArgs = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*']
    const { child, text } = await toFile({}, { nodeArgs })
    await child.request({ do: 'log', count: 1_000, perTurn: 100 })
    child.send({ do: 'exit' })
    expect(await wrongAfterEnd({ child }, text)).toEqual([])
    expect(child.stats).toMatchObject({ written: 1_000 })
    expect(child.stderr.match(/SLUICE_WRITER_FAILED.*\(ERR_ACCESS_DENIED\)/g)).toHaveLength(1)
  })
})

describe('isolation and shutdown of the writer process', () => {
  onLinux('the writer process inherits neither environment, working directory nor descriptors', async () => {
    const secret = directory.path('secret')
    const { child, writer, path } = await toFile(
      {},
      {
        env: { API_KEY: 'secret', NODE_OPTIONS: '--no-deprecation' },
        wrap: ['sh', '-c', 'exec 9>"$0"; exec "$@"', secret],
      },
    )
    // The files that it opens while loading are closed by then.
    await child.request({ do: 'log', count: 1 })
    await child.request({ do: 'flush' })
    const variables = readFileSync(`/proc/${writer}/environ`, 'latin1').split('\0').slice(0, -1)
    const names = variables.map((variable) => variable.slice(0, variable.indexOf('=')))
    expect(names.filter((name) => name !== 'LD_LIBRARY_PATH')).toEqual(['NODE_NO_WARNINGS'])
    expect(readlinkSync(`/proc/${writer}/cwd`)).toBe('/')
    const links = readdirSync(`/proc/${writer}/fd`).map((fd) => readlinkSync(`/proc/${writer}/fd/${fd}`))
    expect(links).not.toContain(secret)
    const files = links.filter((link) => link.startsWith('/') && !link.startsWith('/dev/') && link !== path)
    expect(files).toEqual([])
  })

  onLinux('a stopped writer delays neither shutdown nor process exit for long', async () => {
    const { child, writer } = await toFile()
    await child.request({ do: 'log', count: 10 })
    await child.request({ do: 'flush' })
    stop(writer)
    const start = performance.now()
    await child.request({ do: 'shutdown' })
    child.send({ do: 'end' })
    await until(() => hasEnded(child.pid))
    expect(performance.now() - start).toBeLessThan(8_000)
  })

  // Fault rows: 23
  onLinux('the writer exits when its logger is shut down while the process continues', async () => {
    const { child, writer } = await toFile()
    await child.request({ do: 'log', count: 1_000 })
    await child.request({ do: 'shutdown' })
    expect(isGone(writer)).toBe(true)
    expect(await deliveryStatsOf(child)).toMatchObject({ written: 1_000, queued: 0 })
  })
})

// Fault rows: 24
onLinux('the writer switches to the new file after another program renamed the file', async () => {
  const { child, path, text } = await toFile()
  await child.request({ do: 'log', count: 100 })
  await child.request({ do: 'flush' })
  renameSync(path, `${path}.1`)
  writeFileSync(path, '')
  await untilIn(async () => {
    await child.request({ do: 'log', count: 1 })
    await child.request({ do: 'flush' })
    return text() !== ''
  }, 20_000)
  child.send({ do: 'exit' })
  expect(await wrongAfterEnd({ child }, () => readFileSync(`${path}.1`, 'utf8') + text())).toEqual([])
})

// Fault rows: 18
onLinux('no byte is written to a descriptor that reuses the number of the socket of a dead writer', async () => {
  // A file that is opened in the turn when the exit of the writer is detected may get that number.
  const program = `${importOf('{ createLogger }', 'src/entries/index.ts')}
    ${importOf('{ processExporter }', 'src/entries/exporters.ts')}
    ${importOf('{ writersOf }', 'test/exporters/process/writers.ts')}
    import { closeSync, openSync, readdirSync, readlinkSync, statSync } from 'node:fs'
    const directory = ${JSON.stringify(directory.path('.'))}
    const restart = { initialDelayMillis: 10, maxDelayMillis: 20 }
    const exporter = processExporter({ path: directory + '/app.log', restart })
    const log = createLogger({ exporter, onDiagnostic() {} })
    const sockets = () => readdirSync('/proc/self/fd').filter(isSocket).map(Number)
    function isSocket(fd) {
      try { return readlinkSync('/proc/self/fd/' + fd).startsWith('socket:') } catch { return false }
    }
    let hits = 0, foreign = 0
    for (let round = 0; round < 40 && hits < 3; round++) {
      log.info('again')
      await log.flush()
      const [pid] = writersOf(process.pid)
      const before = sockets()
      if (pid === undefined) { await new Promise((resolve) => setTimeout(resolve, 30)); continue }
      try { process.kill(pid, 'SIGKILL') } catch { continue }
      for (const end = performance.now() + 300; performance.now() < end; ) {
        await new Promise(setImmediate)
        const path = directory + '/of-somebody-else-' + round
        const fd = openSync(path, 'a')
        const isTaken = before.includes(fd)
        if (isTaken) log.fatal('record')
        foreign += statSync(path).size
        closeSync(fd)
        if (isTaken) { hits++; break }
      }
    }
    console.log(JSON.stringify({ hits, foreign }))
    process.exit()`
  const { stdout, stderr } = await runModule(program)
  expect({ output: JSON.parse(stdout || '{}'), stderr }).toMatchObject({ output: { foreign: 0 } })
  expect(JSON.parse(stdout).hits).toBeGreaterThan(0)
})
