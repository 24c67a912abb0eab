import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { batchOf, numberedLines, sequenceOf } from '../../support/pipeline/batch.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { importOf, runModule } from '../../support/processes/child.ts'
import { filesOf, textOf } from '../../support/files/rotated.ts'
import { rotatingWriter, type TestClocks } from '../../support/files/rotating-writer.ts'

let directory: TemporaryDirectory
beforeAll(() => {
  directory = temporaryDirectory()
})
afterAll(() => directory.remove())

const accepted = { status: 'accepted' }
const noon = Date.parse('2026-11-21T12:00:00.000Z')

/** Creates a directory for a test, and returns the path of its file. */
function place(name: string): string {
  mkdirSync(directory.path(name))
  return directory.path(join(name, 'app.log'))
}

function clocks(): TestClocks {
  return { wall: noon, monotonic: 0 }
}

function lineOf(length: number, mark = 'x'): string {
  return `${mark.repeat(length - 1)}\n`
}

describe('rotation by size', () => {
  test('a file is filled with whole lines up to its size, and the next line begins another file', () => {
    const path = place('exact')
    const writer = rotatingWriter(path, { size: 300 }, clocks())
    for (const length of [100, 100, 100, 100, 101, 100]) void writer.export(batchOf([lineOf(length)]), undefined)
    expect(filesOf(path).map(({ size }) => size)).toEqual([300, 201, 100])
  })

  test('a batch is split between files at line ends', () => {
    const path = place('split')
    const writer = rotatingWriter(path, { size: 1_000 }, clocks())
    const lines = numberedLines(40, 0, 80)
    expect(writer.export(batchOf(lines), undefined)).toEqual(accepted)
    const files = filesOf(path)
    expect(sequenceOf(textOf(path))).toEqual(lines.map((_, index) => index))
    expect(files.length).toBeGreaterThan(3)
    for (const { text, size } of files.slice(0, -1)) {
      expect(text.endsWith('\n')).toBe(true)
      expect(size).toBeLessThanOrEqual(1_000)
      // No other line would have fit.
      expect(size + lines[20]!.length).toBeGreaterThan(1_000)
    }
  })

  test('a line that exceeds the size has a separate file', () => {
    const path = place('long')
    const writer = rotatingWriter(path, { size: 300 }, clocks())
    void writer.export(batchOf([lineOf(100), lineOf(1_000), lineOf(100), lineOf(100)]), undefined)
    expect(filesOf(path).map(({ size }) => size)).toEqual([100, 1_000, 200])
  })

  test('the size includes the existing content of a file', () => {
    const path = place('there')
    writeFileSync(path, lineOf(250, 'o'))
    void rotatingWriter(path, { size: 300 }, clocks()).export(batchOf([lineOf(100)]), undefined)
    expect(filesOf(path).map(({ size }) => size)).toEqual([250, 100])
  })

  test('an unfinished line is ended in its file, and the newline counts toward the size', () => {
    const path = place('torn')
    writeFileSync(path, 'torn')
    void rotatingWriter(path, { size: 105 }, clocks()).export(batchOf([lineOf(100)]), undefined)
    expect(filesOf(path).map(({ text }) => text)).toEqual([`torn\n${lineOf(100)}`])
    const full = place('torn-full')
    writeFileSync(full, 'torn')
    void rotatingWriter(full, { size: 104 }, clocks()).export(batchOf([lineOf(100)]), undefined)
    expect(filesOf(full).map(({ text }) => text)).toEqual(['torn', lineOf(100)])
  })

  test('the size includes the bytes that another process has written', () => {
    const path = place('others')
    const writer = rotatingWriter(path, { size: 300 }, clocks())
    void writer.export(batchOf([lineOf(100)]), undefined)
    writeFileSync(path, lineOf(150, 'o'), { flag: 'a' })
    void writer.export(batchOf([lineOf(100)]), undefined)
    expect(filesOf(path).map(({ size }) => size)).toEqual([250, 100])
  })

  test('a record in pieces begins a new file when less than 1 MiB is left', () => {
    const path = place('pieces')
    const writer = rotatingWriter(path, { size: 2_000_000 }, clocks())
    const long = {
      ...batchOf([lineOf(65_536)]),
      *pieces() {
        for (let index = 0; index < 3; index++) yield new Uint8Array(65_536).fill(120)
        yield new Uint8Array([10])
      },
    }
    void writer.export(batchOf([lineOf(900_000)]), undefined)
    writer.exportSync(long, Infinity, false)
    void writer.export(batchOf([lineOf(800_000)]), undefined)
    writer.exportSync(long, Infinity, false)
    expect(filesOf(path).map(({ size }) => size)).toEqual([900_000 + 196_609 + 800_000, 196_609])
  })
})

describe('rotation by time', () => {
  test('the first line after an interval begins a file, and an idle file is not rotated', () => {
    const path = place('interval')
    const clock = clocks()
    const writer = rotatingWriter(path, { interval: 60_000 }, clock)
    const log = (seq: number) => void writer.export(batchOf(numberedLines(1, seq)), undefined)
    log(0)
    clock.wall = noon + 59_999
    log(1)
    clock.wall = noon + 60_000
    log(2)
    clock.wall = noon + 600_000
    log(3)
    expect(filesOf(path).map(({ text }) => sequenceOf(text))).toEqual([[0, 1], [2], [3]])
    expect(filesOf(path)[0]!.name).toBe('app.2026-11-21T12-01-00-000Z.log')
  })

  test('the interval of an empty file begins with its first line', () => {
    const path = place('empty')
    const clock = clocks()
    const writer = rotatingWriter(path, { interval: 60_000 }, clock)
    void writer.export(batchOf(numberedLines(1)), undefined)
    truncateSync(path)
    clock.wall = noon + 90_000
    void writer.export(batchOf(numberedLines(1)), undefined)
    void writer.export(batchOf(numberedLines(1, 1)), undefined)
    expect(filesOf(path)).toHaveLength(1)
  })

  test('the interval of a file from an earlier process is that of its last line', () => {
    const path = place('earlier')
    writeFileSync(path, lineOf(10))
    const { mtimeMs } = statSync(path)
    const clock = { wall: mtimeMs + 60_000, monotonic: 0 }
    void rotatingWriter(path, { interval: 60_000 }, clock).export(batchOf([lineOf(20)]), undefined)
    expect(filesOf(path).map(({ size }) => size)).toEqual([10, 20])
  })

  // Fault rows: 26
  test('a clock that jumps forward or back causes at most one rotation', () => {
    const path = place('jumps')
    const clock = clocks()
    const writer = rotatingWriter(path, { interval: 'hourly' }, clock)
    const times = [0, 3_600_000, 3_600_001, -noon, 1 - noon, 2 - noon, 1_000, 2_000, 2 ** 53 - noon, 2 ** 53 - noon]
    for (const [seq, time] of times.entries()) {
      clock.wall = noon + time
      void writer.export(batchOf(numberedLines(1, seq)), undefined)
    }
    expect(filesOf(path).map(({ text }) => sequenceOf(text))).toEqual([[0], [1, 2, 3, 4, 5], [6, 7, 8, 9]])
  })
})

describe('names of old files', () => {
  test('names of old files are unused and sort by time even when the clock was set back', () => {
    const path = place('names')
    writeFileSync(join(dirname(path), 'app.2026-11-21T12-00-00-000Z.log.gz'), 'not ours to lose')
    mkdirSync(join(dirname(path), 'app.2026-11-21T12-00-00-001Z.log'))
    const clock = clocks()
    const writer = rotatingWriter(path, { size: 100 }, clock)
    for (const wall of [noon, noon, 0]) {
      clock.wall = wall
      void writer.export(batchOf([lineOf(100)]), undefined)
    }
    expect(readdirSync(dirname(path)).toSorted()).toEqual([
      'app.2026-11-21T12-00-00-000Z.log.gz',
      'app.2026-11-21T12-00-00-001Z.log',
      'app.2026-11-21T12-00-00-002Z.log',
      'app.2026-11-21T12-00-00-003Z.log',
      'app.log',
    ])
  })

  test('old files are in the directory of the target of a link', () => {
    const path = place('link')
    mkdirSync(directory.path('real'))
    symlinkSync(directory.path('real/other.log'), path)
    const writer = rotatingWriter(path, { size: 100 }, clocks())
    void writer.export(batchOf([lineOf(100), lineOf(100)]), undefined)
    expect(readdirSync(dirname(path))).toEqual(['app.log'])
    expect(readdirSync(directory.path('real'))).toEqual(['other.2026-11-21T12-00-00-000Z.log', 'other.log'])
  })
})

// Fault rows: 25
describe('files that cannot be rotated', () => {
  test('a file that cannot be rotated stays in use and is reported, and the rotation is retried with backoff', () => {
    const path = join(directory.path('narrow'), `${'a'.repeat(240)}.log`)
    mkdirSync(dirname(path))
    const clock = clocks()
    const writer = rotatingWriter(path, { size: 300 }, clock)
    const lines = numberedLines(20)
    for (const line of lines) expect(writer.export(batchOf([line]), undefined)).toEqual(accepted)
    expect(readdirSync(dirname(path))).toHaveLength(1)
    const message = `file:${path}: cannot be rotated (ENAMETOOLONG); the old file stays in use; retrying`
    expect(writer.host.diagnostics).toEqual([{ code: 'SLUICE_ROTATION_FAILED', message }])
    for (const [time, times] of [
      [999, 1],
      [1_000, 2],
      [2_999, 2],
      [3_000, 3],
      [6_999, 3],
      [7_000, 4],
    ] as const) {
      clock.monotonic = time
      void writer.export(batchOf(lines), undefined)
      expect([time, writer.host.diagnostics.length]).toEqual([time, times])
    }
  })
})

describe('locks of other processes', () => {
  test('a lock of another process does not block writes, and a file exceeds its size by at most 256 KiB', () => {
    const path = place('held')
    writeFileSync(join(dirname(path), '.app.log.rotation'), `${process.ppid}\n`)
    const writer = rotatingWriter(path, { size: 1_000 }, clocks())
    for (let seq = 0; seq < 4_000; seq++) void writer.export(batchOf(numberedLines(1, seq)), undefined)
    expect(sequenceOf(textOf(path))).toEqual(Array.from({ length: 4_000 }, (_, seq) => seq))
    const files = filesOf(path)
    expect(files.length).toBeGreaterThan(3)
    for (const { size } of files) expect(size).toBeLessThanOrEqual(1_000 + 262_144)
    for (const { size } of files.slice(0, -1)) expect(size).toBeGreaterThan(1_000 + 262_144 - 300)
    expect(readFileSync(join(dirname(path), '.app.log.rotation'), 'utf8')).toBe(`${process.ppid}\n`)
  })

  test.each([
    ['of a process that is gone', '4194304\n', 0],
    ['that has been there for 5 s, without a name', '', 5_001],
  ])('a lock %s is removed', (what, text, wait) => {
    const path = place(what)
    const lock = join(dirname(path), '.app.log.rotation')
    writeFileSync(lock, text)
    const clock = clocks()
    const writer = rotatingWriter(path, { size: 300 }, clock)
    void writer.export(batchOf(numberedLines(2)), undefined)
    expect(filesOf(path)).toHaveLength(wait === 0 ? 2 : 1)
    clock.monotonic = wait
    void writer.export(batchOf(numberedLines(1, 2)), undefined)
    expect(filesOf(path).length).toBeGreaterThan(1)
    expect(readdirSync(dirname(path))).not.toContain('.app.log.rotation')
    expect(sequenceOf(textOf(path))).toEqual([0, 1, 2])
  })
})

describe('files that another program moves', () => {
  test('a file that another program moved is created again at the next write', () => {
    const path = place('moved')
    const writer = rotatingWriter(path, { size: 1_000 }, clocks())
    void writer.export(batchOf(numberedLines(1)), undefined)
    renameSync(path, `${path}.old`)
    void writer.export(batchOf(numberedLines(1, 1)), undefined)
    expect(sequenceOf(textOf(path))).toEqual([1])
  })

  // Fault rows: 9
  test('a batch is rejected while the directory of the file is missing', async () => {
    const path = place('deleted')
    const clock = clocks()
    const writer = rotatingWriter(path, { size: 1_000 }, clock)
    void writer.export(batchOf(numberedLines(1)), undefined)
    rmSync(dirname(path), { recursive: true })
    const result = writer.exportSync(batchOf(numberedLines(1, 1)), 0, true)
    expect(result).toEqual({ status: 'rejected', accepted: 0, reason: 'io_error' })
    expect(writer.host.diagnostics.at(-1)!.message).toBe(`file:${path}: cannot open (ENOENT); retrying`)
    mkdirSync(dirname(path))
    void writer.export(batchOf(numberedLines(1, 2)), undefined)
    expect(sequenceOf(textOf(path))).toEqual([2])
  })
})

test.each([
  [
    'a file that another process has renamed is not rotated',
    "fs.renameSync(path, `${path}.moved`)\nfs.writeFileSync(path, '')",
    'ok',
  ],
  [
    'an error of the rename is thrown',
    "fs.renameSync = () => { throw Object.assign(new Error('no'), { code: 'EACCES' }) }",
    'EACCES',
  ],
])('%s, also if another process has removed the reserved file', async (_, change, outcome) => {
  const path = place(outcome)
  const { stdout } = await runModule(`
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
${importOf('{ Rotation }', 'src/exporters/rotation/rotation.ts')}
${importOf('{ openForAppending }', 'src/exporters/fd/descriptor.ts')}
const path = ${JSON.stringify(path)}
const open = () => openForAppending(path, 0o600)
const rotation = new Rotation({ path, rotate: { size: 10 }, open, now: () => 0, wallTime: () => 0, onRotated() {} })
const current = open()
${change}
// Another process removes the file first.
const { unlinkSync } = fs
fs.unlinkSync = (name) => { unlinkSync(name); unlinkSync(name) }
syncBuiltinESMExports()
try {
  rotation.rotate(current, fs.fstatSync(current.fd), 20)
  console.log('ok')
} catch (error) {
  console.log(error.code)
}`)
  expect(stdout).toBe(`${outcome}\n`)
  expect(readdirSync(dirname(path)).filter((name) => /\d/.test(name))).toEqual([])
})
