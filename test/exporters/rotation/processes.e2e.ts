import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startFaultChild, type FaultChild } from '../../faults/harness/fault-child.ts'
import { findMismatches, readSink, countSequence, type ReportedStats } from '../../faults/harness/oracle.ts'
import { importOf, runChild, runModule } from '../../support/processes/child.ts'
import { expectedExit, exitCauses } from '../../support/processes/exits.ts'
import { needs } from '../../support/needs.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { filesOf, textOf } from '../../support/files/rotated.ts'
import { waitUntil } from '../../support/wait-until.ts'

const traced = needs('a strace that may trace', spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0)
const limited = needs('prlimit', spawnSync('prlimit', ['--version']).status === 0)

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

function place(name: string): string {
  mkdirSync(directory.path(name))
  return directory.path(join(name, 'app.log'))
}

const size = 1_000_000

function start(path: string, rotate: object, wrap: readonly string[] = []): Promise<FaultChild> {
  const options = { exporter: { rotate } }
  return startFaultChild({ subject: 'sluice', run: 'rotation', sink: { to: 'file', path }, options, wrap })
}

async function end(child: FaultChild): Promise<ReportedStats> {
  await child.request({ do: 'shutdown' })
  child.send({ do: 'end' })
  expect(await child.ended).toEqual({ code: 0, signal: null })
  return child.stats!
}

/** The errors in all files of a path together, including empty lines. */
async function wrongIn(path: string, children: readonly FaultChild[]): Promise<string[]> {
  const statsOfProcesses = new Map<number, ReportedStats>()
  for (const child of children) statsOfProcesses.set(child.pid, await end(child))
  const text = textOf(path)
  const empty = text.includes('\n\n') || text.startsWith('\n') ? ['an empty line'] : []
  return [...findMismatches(readSink(text, 'rotation'), statsOfProcesses), ...empty]
}

describe('rotation by several processes', () => {
  test('four processes that rotate one file lose, duplicate and tear no record', async () => {
    const path = place('four')
    const children = await Promise.all([1, 2, 3, 4].map(() => start(path, { size })))
    await Promise.all(
      children.map((child) => child.request({ do: 'log', count: 10_000, perTurn: 50, everyMillis: 1, padding: 300 })),
    )
    expect(await wrongIn(path, children)).toEqual([])
    expect(children.map(({ stderr }) => stderr)).toEqual(['', '', '', ''])
    const files = filesOf(path)
    expect(files.length).toBeGreaterThan(10)
    // During a rotation, plus one batch of each of the four processes.
    for (const file of files) expect(file.size).toBeLessThanOrEqual(size + 262_144 + 4 * 69_632)
    // A file that another process has just begun is not rotated, unless that process is suspended for too long.
    expect(files.filter((file) => file.size < size / 2).length).toBeLessThanOrEqual(1 + files.length / 4)
  }, 60_000)

  test('four processes that compress old files while they write lose and duplicate no record', async () => {
    const path = place('gzip')
    const rotate = { size, compress: 'gzip' }
    const children = await Promise.all([1, 2, 3, 4].map(() => start(path, rotate)))
    await Promise.all(
      children.map((child) => child.request({ do: 'log', count: 8_000, perTurn: 10, everyMillis: 8, padding: 300 })),
    )
    await waitUntil(() => readdirSync(dirname(path)).filter((name) => name.endsWith('.gz')).length > 5, 20_000)
    expect(await wrongIn(path, children)).toEqual([])
  }, 60_000)
})

describe('process exit in a burst over several files', () => {
  test.each(exitCauses)(
    'all records of a burst over several files are written when the process ends by %s',
    async (way) => {
      const path = place(`death-${way}`)
      const text = `${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ fileExporter }', 'src/entries/exporters.ts')}
      const log = createLogger({ exporter: fileExporter({ path: ${JSON.stringify(path)}, rotate: { size: ${size} } }) })
      process.on('exit', () => log.info('last', { seq: 20_000 }))
      for (let seq = 0; seq < 20_000; seq++) log.info('burst', { seq, pad: 'x'.repeat(200) })
      const way = ${JSON.stringify(way)}
      if (way === 'exit') process.exit(3)
      if (way === 'throw') throw new Error('mine')
      if (way === 'rejection') void Promise.reject(new Error('mine'))
      if (way.startsWith('SIG')) { setInterval(() => {}, 1_000); process.kill(process.pid, way) }`
      const { code, signal } = await runModule(text)
      expect({ code, signal }).toEqual(expectedExit(way))
      const seqs = textOf(path)
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { attributes: { seq: number } }).attributes.seq)
      // A signal without other listeners ends the process without an exit event.
      const expected = way.startsWith('SIG') ? 20_000 : 20_001
      expect(seqs).toEqual(Array.from({ length: expected }, (_, seq) => seq))
      const files = filesOf(path)
      expect(files.length).toBeGreaterThan(5)
      for (const file of files) expect(file.size).toBeLessThanOrEqual(size)
    },
  )
})

/** Options of strace to trace calls for a file by its path, its descriptor, or its name in an open directory. */
function pathsOf(directory: string, file: string): string[] {
  const relative = Array.from({ length: 64 }, (_, fd) => `/proc/self/fd/${fd}/${file}`)
  return [join(directory, file), ...relative].flatMap((path) => ['-P', path])
}

// Fault rows: 18
describe('kills during a rotation', () => {
  traced.each([
    ['when the name is reserved, as it renames the file', 'rename', undefined, 3],
    ['as it takes the lock', 'openat', '.app.log.rotation', 3],
    ['as it gives the lock back', 'unlink', '.app.log.rotation', 3],
    ['when the file is renamed, as it opens the next one', 'openat', 'app.log', 8],
    ['as it writes to a file', 'write', 'app.log', 100],
  ])(
    'a process killed %s loses no flushed record, and the next one continues',
    async (what, call, file, when) => {
      const path = place(what)
      const only = file === undefined ? [] : pathsOf(dirname(path), file)
      const inject = `inject=${call}:signal=KILL:when=${when}`
      const wrap = ['strace', '-f', '-qqq', '-o', '/dev/null', ...only, '-e', `trace=${call}`, '-e', inject]
      const killed = await start(path, { size }, wrap)
      let flushed = 0
      await (async () => {
        for (;;) {
          await killed.request({ do: 'log', count: 200, perTurn: 20, padding: 500 })
          flushed = (await killed.request<'flushed'>({ do: 'flush' })).next
        }
      })().catch(() => {})
      expect(await killed.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
      expect(flushed).toBeGreaterThan(0)
      const next = await start(path, { size })
      await next.request({ do: 'log', count: 4_000, perTurn: 100, padding: 500 })
      const { written } = await end(next)
      const found = readSink(textOf(path), 'rotation')
      expect(found.torn).toEqual([])
      expect(countSequence(found, next.pid)).toEqual({ unique: written, duplicates: 0, disorder: 0 })
      const first = countSequence(found, killed.pid)
      expect(first).toMatchObject({ duplicates: 0, disorder: 0 })
      expect(found.sequences.get(killed.pid)!.slice(0, flushed)).toEqual(
        Array.from({ length: flushed }, (_, seq) => seq),
      )
      for (const old of filesOf(path)) expect(old.size).toBeLessThanOrEqual(size)
    },
    60_000,
  )
})

// Fault rows: 25
describe('files that cannot be rotated', () => {
  traced.each([
    ['the rename fails', 'rename', undefined, 'EACCES', 1],
    ['the directory is read-only', 'rename', undefined, 'EROFS', 1],
    ['no descriptor is left for the lock', 'openat', '.app.log.rotation', 'EMFILE', 1],
    ['no descriptor is left for the next one', 'openat', 'app.log', 'EMFILE', 2],
  ])(
    'a file stays in use when %s, and is rotated a second later',
    async (what, call, file, error, when) => {
      const path = place(what)
      const only = file === undefined ? [] : pathsOf(dirname(path), file)
      const inject = `inject=${call}:error=${error}:when=${when}`
      const wrap = ['strace', '-f', '-qqq', '-o', '/dev/null', ...only, '-e', `trace=${call}`, '-e', inject]
      const child = await start(path, { size }, wrap)
      await child.request({ do: 'log', count: 4_000, perTurn: 100, padding: 500 })
      await child.request({ do: 'flush' })
      expect(filesOf(path)).toHaveLength(1)
      expect(child.stderr.split('\n')).toEqual([
        `sluice: SLUICE_ROTATION_FAILED: file:${path}: cannot be rotated (${error}); the old file stays in use; retrying`,
        '',
      ])
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await child.request({ do: 'log', count: 1_000, perTurn: 100, padding: 500 })
      expect(await wrongIn(path, [child])).toEqual([])
      expect(filesOf(path)).toHaveLength(2)
    },
    60_000,
  )

  limited('no record is lost when the process has no free descriptor for a rotation', async () => {
    const path = place('nofile')
    const text = `${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ fileExporter }', 'src/entries/exporters.ts')}
      import { closeSync, openSync } from 'node:fs'
      const problems = []
      const exporter = fileExporter({ path: ${JSON.stringify(path)}, rotate: { size: ${size} } })
      const log = createLogger({ exporter, onDiagnostic: ({ message }) => problems.push(message) })
      let seq = 0
      const burst = () => { for (let i = 0; i < 5_000; i++) log.info('burst', { seq: seq++, pad: 'x'.repeat(300) }) }
      const taken = []
      try { for (;;) taken.push(openSync('/dev/null')) } catch {}
      burst()
      await log.flush()
      for (const fd of taken) closeSync(fd)
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      burst()
      await log.flush()
      console.log(JSON.stringify({ problems, written: log.stats().written }))`
    const ended = await runChild({
      command: 'prlimit',
      args: ['--nofile=60', process.execPath, '--input-type=module', '--eval', text],
    })
    const message = `file:${path}: cannot be rotated (EMFILE); the old file stays in use; retrying`
    expect(JSON.parse(ended.stdout)).toEqual({ problems: [message], written: 10_000 })
    expect(textOf(path).trimEnd().split('\n')).toHaveLength(10_000)
    expect(filesOf(path).length).toBeGreaterThan(1)
  })
})

// Fault rows: 10
traced(
  'a slow disk is written to in the thread pool, and files stay within their size',
  async () => {
    const path = place('slow')
    const inject = 'inject=write:delay_enter=25000'
    const wrap = ['strace', '-f', '-qqq', '-o', '/dev/null', '-P', path, '-e', 'trace=write', '-e', inject]
    const child = await start(path, { size }, wrap)
    await child.request({ do: 'log', count: 5_000, padding: 500 })
    await child.request({ do: 'flush', timeoutMillis: 20_000 })
    expect(await wrongIn(path, [child])).toEqual([])
    const files = filesOf(path)
    expect(files.length).toBeGreaterThan(2)
    for (const file of files) expect(file.size).toBeLessThanOrEqual(size)
  },
  60_000,
)

traced(
  'fsync: batch syncs both files of a batch that is split by a rotation',
  async () => {
    const path = place('fsync')
    const trace = `${path}.trace`
    const text = `${importOf('{ createLogger }', 'src/entries/index.ts')}${importOf('{ fileExporter }', 'src/entries/exporters.ts')}
      const exporter = fileExporter({ path: ${JSON.stringify(path)}, fsync: 'batch', rotate: { size: ${size} } })
      const log = createLogger({ exporter })
      for (let seq = 0; seq < 4_000; seq++) {
        log.info('synced', { seq, pad: 'x'.repeat(500) })
        if (seq % 100 === 99) await log.flush()
      }`
    const args = [
      '-f',
      '-y',
      '-qqq',
      '-o',
      trace,
      '-e',
      'trace=fsync',
      process.execPath,
      '--input-type=module',
      '--eval',
      text,
    ]
    expect(await runChild({ command: 'strace', args })).toMatchObject({ code: 0 })
    const old = filesOf(path)
      .map(({ name }) => name)
      .filter((name) => name.startsWith('app.2'))
    expect(old.length).toBeGreaterThan(1)
    const synced = readFileSync(trace, 'utf8')
    // The file is synced after its rename, so that all its records are on disk.
    for (const name of old) expect(synced).toContain(`<${join(dirname(path), name)}>`)
    expect(statSync(path).size).toBeGreaterThan(0)
  },
  30_000,
)
