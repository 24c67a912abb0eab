import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PIPE_BUF } from '../../src/exporters/fd/line-chunks.ts'
import { needs } from '../support/needs.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { countWork } from '../support/work/run.ts'
import type { Burst, BurstWork } from '../support/work/writes.ts'

const program = new URL('../support/work/writes.ts', import.meta.url)
const RECORDS = 200_000
const PIECE = 65_536
/** The size of an atomic write to a pipe, less the longest line. */
const SHARED_PIECE = PIPE_BUF - 130
/** The bytes that a thread writes to wake the event loop of another thread. */
const WAKE_UP = 8

interface Shape {
  readonly title: string
  readonly to: Burst['to']
  readonly turns: number
  /** For pipes: `sharedPipe: false`. */
  readonly alone?: boolean
}

const shapes: readonly Shape[] = [
  { title: 'a burst to /dev/null', to: 'null', turns: 1 },
  { title: '50 turns to /dev/null', to: 'null', turns: 50 },
  { title: 'a burst to a file', to: 'file', turns: 1 },
  { title: '50 turns to a file', to: 'file', turns: 50 },
  { title: 'a burst to a pipe', to: 'pipe', turns: 1, alone: false },
  { title: '50 turns to a pipe', to: 'pipe', turns: 50, alone: false },
  { title: 'a burst to a pipe with sharedPipe: false', to: 'pipe', turns: 1, alone: true },
  { title: '50 turns to a pipe with sharedPipe: false', to: 'pipe', turns: 50, alone: true },
]

const control: Burst = { to: 'null', path: '/dev/null', records: 1_000, turns: 1, sync: true }
const takingAll = shapes.filter(({ to }) => to !== 'pipe')
const toPipes = shapes.filter(({ to }) => to === 'pipe')

let directory: TemporaryDirectory
const works = new Map<Shape, BurstWork>()
let recordByRecord: BurstWork

beforeAll(async () => {
  directory = temporaryDirectory()
  const bursts = [...shapes.map(burstOf), control]
  const found = await countWork<BurstWork[]>(program, { argument: bursts })
  shapes.forEach((shape, index) => works.set(shape, found[index]!))
  recordByRecord = found.at(-1)!
})
afterAll(() => directory.remove())

function burstOf(shape: Shape): Burst {
  const { to, turns } = shape
  const burst = { to, turns, records: RECORDS, path: pathOf(to, turns) }
  const { alone } = shape
  return alone === undefined ? burst : { ...burst, alone, path: `${burst.path}-${alone}` }
}

function pathOf(to: Burst['to'], turns: number): string {
  return to === 'null' ? '/dev/null' : directory.path(`${to}-${turns}`)
}

/** Returns the largest number of write calls: one for each piece (default 64 KiB), and one for the rest of each turn. */
function mostCalls(bytes: number, turns: number, piece = PIECE): number {
  return Math.ceil(bytes / piece) + turns
}

describe.each(takingAll)('$title', (shape) => {
  // Requirements: EXP3
  test('a burst needs at most one write call for each 64 KiB and each turn', () => {
    const { calls, written } = works.get(shape)!
    expect(written).toBe(RECORDS)
    expect(calls).toMatchObject({ short: 0, refused: 0 })
    expect(calls.whole).toBeLessThanOrEqual(mostCalls(calls.bytes, shape.turns))
  })
})

describe.each(toPipes)('$title whose reader reads 64 KiB at a time', (shape) => {
  const piece = shape.alone === true ? PIECE : SHARED_PIECE

  test(`a burst needs at most 1.3 complete write calls for each ${piece} bytes and each turn`, () => {
    const { calls, written } = works.get(shape)!
    expect(written).toBe(RECORDS)
    expect(calls.whole).toBeLessThanOrEqual(1.3 * mostCalls(calls.bytes, shape.turns, piece))
  })

  test('a full pipe gets at most one rejected write call for each read', () => {
    const { calls, reads } = works.get(shape)!
    expect(reads).toBeGreaterThanOrEqual(Math.floor(calls.bytes / PIECE))
    expect(calls.refused).toBeLessThanOrEqual(reads + 1)
    expect(calls.short).toBeLessThanOrEqual(shape.alone === true ? reads + 1 : 0)
  })
})

test('a file contains every record, and as many bytes as were counted', () => {
  for (const shape of shapes.filter(({ to }) => to === 'file')) {
    const path = pathOf(shape.to, shape.turns)
    expect(statSync(path).size).toBe(works.get(shape)!.calls.bytes)
    expect(readFileSync(path, 'latin1').split('\n')).toHaveLength(RECORDS + 1)
  }
})

// Requirements: EXP3
test('a logger with write: sync makes one write call for each record', () => {
  const { calls } = recordByRecord
  expect(calls.whole).toBe(control.records)
  expect(calls.whole).toBeGreaterThan(mostCalls(calls.bytes, control.turns))
})

const withProcIo = needs('/proc/self/io', existsSync('/proc/self/io'))

withProcIo.each(shapes)('$title: the system counts no other write calls', (shape) => {
  const { calls, system } = works.get(shape)!
  const wakeUps = (system!.bytes - calls.bytes) / WAKE_UP
  const counted = calls.whole + calls.short + calls.refused
  expect(Number.isInteger(wakeUps)).toBe(true)
  // Node itself continues after a short write, and the write is rejected.
  expect(system!.calls - wakeUps).toBe(counted + calls.short)
})

describe('under strace', () => {
  const traced = needs('a strace that may trace', spawnSync('strace', ['-f', '-e', 'trace=none', 'true']).status === 0)

  traced('a burst and 50 turns take as many system calls on their descriptors as were counted', async () => {
    const trace = directory.path('trace')
    const file = directory.path('traced')
    const bursts: Burst[] = [
      { to: 'null', path: '/dev/null', records: RECORDS, turns: 1 },
      { to: 'file', path: file, records: RECORDS, turns: 50 },
    ]
    const tracer = [
      'strace',
      '-f',
      '--seccomp-bpf',
      '-qqq',
      '-y',
      '-s',
      '0',
      '-e',
      'trace=write,writev,pwrite64',
      '-o',
      trace,
    ]
    const found = await countWork<BurstWork[]>(program, { argument: bursts, under: tracer })
    const lines = readFileSync(trace, 'latin1').split('\n')
    bursts.forEach(({ path, turns }, index) => {
      const { calls } = found[index]!
      const seen = lines.filter((line) => /(?:write|writev|pwrite64)\(\d+</.test(line) && line.includes(`<${path}>`))
      expect(seen).toHaveLength(calls.whole)
      expect(seen.length).toBeLessThanOrEqual(mostCalls(calls.bytes, turns))
    })
  })
})
