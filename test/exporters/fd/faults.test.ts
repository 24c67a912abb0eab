import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ExportResult } from '../../../src/pipeline/exporter.ts'
import { needs } from '../../support/needs.ts'
import { sequenceOf } from '../../support/pipeline/batch.ts'
import { importOf, runChild, runModule } from '../../support/processes/child.ts'
import { stallingPipe, temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { shortWrites } from '../../support/files/short-writes.ts'

const fixture = fileURLToPath(new URL('../../support/files/write-fixture.ts', import.meta.url))
const accepted: ExportResult = { status: 'accepted' }

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

interface FixtureReport {
  readonly results: readonly ExportResult[]
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[]
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function reportOf(stderr: string): FixtureReport {
  return JSON.parse(stderr.trim().split('\n').at(-1)!) as FixtureReport
}

/** Expects that all accepted records are in the file, whole, once and in order. */
function expectWritten(path: string, { results }: FixtureReport, lines: number): void {
  const whole = readFileSync(path, 'utf8').split('\n').filter(isWhole)
  const expected = results.flatMap((result, index) =>
    numbers(result.status === 'accepted' ? lines : result.accepted).map((seq) => index * lines + seq),
  )
  expect(sequenceOf(whole.join('\n'))).toEqual(expected)
}

function isWhole(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}')
}

function acceptedTimes(count: number): ExportResult[] {
  return Array.from({ length: count }, () => accepted)
}

async function withFault(
  name: string,
  fault: string,
  args: readonly string[],
): Promise<FixtureReport & { path: string }> {
  const path = directory.path(name)
  const ended = await runChild({
    command: 'strace',
    args: [
      '-f',
      '-qqq',
      '-o',
      '/dev/null',
      '-P',
      path,
      '-e',
      `inject=write:${fault}`,
      process.execPath,
      fixture,
      path,
      ...args,
    ],
  })
  expect(ended).toMatchObject({ code: 0, signal: null })
  return { ...reportOf(ended.stderr), path }
}

describe('system calls that fail', () => {
  const traced = needs('a strace that may trace', spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0)

  // `when` counts the system calls of each thread.
  traced.each([
    // Fault rows: 1
    ['EAGAIN again and again', 'error=EAGAIN:when=3+7', 0],
    // Fault rows: 2
    ['EINTR again and again', 'error=EINTR:when=3+7', 0],
    // Fault rows: 3
    ['EIO for a while', 'error=EIO:when=5..7', 3],
    // Fault rows: 6
    ['ENOSPC for a while', 'error=ENOSPC:when=1..2', 2],
  ])(
    'no record is lost after %s',
    async (_fault, fault, diagnostics) => {
      const ended = await withFault(_fault.replaceAll(' ', '-'), fault, ['20', '50', 'flush'])
      expect(ended.results).toEqual(acceptedTimes(20))
      expect(ended.diagnostics).toHaveLength(diagnostics)
      expectWritten(ended.path, ended, 50)
    },
    30_000,
  )

  // Fault rows: 4
  traced(
    'a permanent EIO rejects the remaining batches at exit',
    async () => {
      const ended = await withFault('EIO', 'error=EIO:when=5+', ['10', '50', 'exit'])
      expect(ended.results.map(({ status }) => status)).toEqual([
        ...Array(4).fill('accepted'),
        ...Array(6).fill('rejected'),
      ])
      expectWritten(ended.path, ended, 50)
    },
    30_000,
  )

  // Fault rows: 10
  traced(
    'a disk with writes of 60 ms is written to in the thread pool, and exit waits for the write in flight',
    async () => {
      const ended = await withFault('slow', 'delay_enter=60000', ['5', '50', 'exit'])
      expect(ended.results).toEqual(acceptedTimes(5))
      expectWritten(ended.path, ended, 50)
    },
    30_000,
  )

  traced(
    'a disk with writes of 1 s is abandoned after the deadline, and the batch in flight is unknown',
    async () => {
      const ended = await withFault('stuck', 'delay_enter=1000000:when=1', ['2', '50', 'exit'])
      // The first write is synchronous; the second waits in the thread pool, whose first call is slow again.
      expect(ended.results).toEqual([accepted, { status: 'unknown', accepted: 0 }])
    },
    30_000,
  )
})

const compiled = needs('a C compiler', spawnSync('cc', ['--version']).status === 0)

// Fault rows: 5
compiled('a short write is continued at the next byte', async () => {
  const library = shortWrites(directory.path('short.so'))
  const path = directory.path('short')
  const env = { LD_PRELOAD: library, SHORT_FD: String(await firstFreeDescriptor()) }
  const ended = await runChild({ args: [fixture, path, '20', '50', 'flush'], env })
  expect(reportOf(ended.stderr)).toEqual({ results: acceptedTimes(20), diagnostics: [] })
  expectWritten(path, reportOf(ended.stderr), 50)
})

// Fault rows: 5
compiled('a short write in the thread pool does not count as a complete write', async () => {
  const library = shortWrites(directory.path('short-pool.so'))
  const path = directory.path('short-pool')
  const env = { LD_PRELOAD: library, SHORT_FD: String(await firstFreeDescriptor()), FILE: path }
  const ended = await runModule(pollWhileWriting, { env })
  expect(reportOf(ended.stderr)).toEqual({ results: acceptedTimes(2), diagnostics: [] })
  expectWritten(path, reportOf(ended.stderr), 2_000)
})

/** Writes to a file that appears slow, so that the thread pool writes the second batch, and polls it continuously. */
const pollWhileWriting = `
${importOf('{ openForAppending }', 'src/exporters/fd/descriptor.ts')}
${importOf('{ FdWriter }', 'src/exporters/fd/fd-writer.ts')}
${importOf('{ batchOf, numberedLines }', 'test/support/pipeline/batch.ts')}
${importOf('{ recordingHost }', 'test/support/pipeline/exporter-host.ts')}
let now = 0
const host = recordingHost(() => (now += 21))
const writer = new FdWriter({ name: 'file', open: () => openForAppending(process.env.FILE, 0o644) })
writer.start(host)
writer.keepAlive(true)
const results = [await writer.export(batchOf(numberedLines(2_000)), undefined)]
const batch = batchOf(numberedLines(2_000, 2_000))
const pending = writer.export(batch, undefined)
let answered = false
void pending.then(() => (answered = true))
while (!answered) {
  for (let poll = 0; poll < 50; poll++) if (writer.exportSync(batch, 0, false).status === 'accepted') break
  await new Promise((resolve) => setImmediate(resolve))
}
results.push(await pending)
process.stderr.write(JSON.stringify({ results, diagnostics: host.diagnostics }))
`

const limited = needs('prlimit', spawnSync('prlimit', ['--version']).status === 0)

// Fault rows: 8
limited('a record that is cut at the size limit of its file is counted as dropped', async () => {
  const path = directory.path('limited')
  const ended = await runChild({
    command: 'prlimit',
    args: ['--fsize=50000', process.execPath, fixture, path, '10', '50', 'exit'],
  })
  const { results, diagnostics } = reportOf(ended.stderr)
  expect(results.at(-1)).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
  expect(diagnostics[0]!.message).toBe('file: cannot write (EFBIG); retrying')
  expect(readFileSync(path).length).toBe(50_000)
  expectWritten(path, { results, diagnostics }, 50)
})

// Fault rows: 22
test('lines of four processes on one shared pipe are not interleaved', async () => {
  const path = directory.path('shared')
  const pipe = stallingPipe(path)
  let text = ''
  // A slow reader: the pipe is full nearly all the time, so nearly every write is partial.
  const reader = setInterval(() => (text += pipe.read(8_192)), 1)
  const writers = [1, 2, 3, 4].map(() => runChild({ args: [fixture, path, '4', '300', 'flush', 'shared'] }))
  for (const ended of await Promise.all(writers)) expect(reportOf(ended.stderr).results).toEqual(acceptedTimes(4))
  clearInterval(reader)
  text += pipe.readAll()
  pipe.close()
  expect(sequenceOf(text).toSorted((a, b) => a - b)).toEqual(numbers(1_200).flatMap((seq) => [seq, seq, seq, seq]))
})

/** The descriptor of the fixture's file: Node opens the same descriptors each time. */
async function firstFreeDescriptor(): Promise<number> {
  const path = directory.path('probe')
  const probe = `const { openSync, writeSync } = require('node:fs'); writeSync(1, String(openSync(process.argv[1], 'a')))`
  const ended = await runChild({ args: ['--eval', probe, path] })
  return Number(ended.stdout)
}
