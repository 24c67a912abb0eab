import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { noCompilationFlags } from '../support/work/heap.ts'
import type { BurstName, RetainedMemory } from '../support/work/retained-memory.ts'
import { countWork } from '../support/work/run.ts'

const program = new URL('../support/work/retained-memory.ts', import.meta.url)
/** The size of a pointer in bytes: anything that is retained takes at least as many. */
const POINTER = 8
/** The size of a cached property name in bytes. */
const NAME = 512
/** How many names are cached at the top level, and below it; see ShapeSettings. */
const NAMES = 10_000
/** See byteBuffers: 16 of 72 KiB, and a margin for those of Node. */
const POOL = 16 * 72 * 1024 + 65_536

const newNames = [
  'names that are all different',
  'redacted names that are all different',
  'names below a name that are all different',
] as const
const released: readonly BurstName[] = [
  'records of one shape',
  'messages that are all different',
  'errors',
  'child loggers',
  'loggers that are shut down',
  'contexts',
  'flushes',
]

let directory: TemporaryDirectory
let work: RetainedMemory

beforeAll(async () => {
  directory = temporaryDirectory()
  work = await countWork<RetainedMemory>(program, { argument: directory.path('pipe'), flags: noCompilationFlags })
})
afterAll(() => directory.remove())

/** Returns the least growth of the bursts after the first: what only one burst leaves is not a leak. */
function retained(name: BurstName): number {
  return Math.min(...work.each[name].slice(1))
}

describe.each(released)('repeated bursts of %s', (name) => {
  test('repeated bursts leave less than one pointer for each item on the heap', () => {
    expect(retained(name)).toBeLessThan(POINTER)
  })
})

test.each(newNames)('%s are cached up to a limit', (name) => {
  const grown = work.each[name].reduce((sum, each) => sum + each)
  expect(work.each[name][0]).toBeGreaterThan(POINTER)
  expect(grown * work.sizes[name]).toBeLessThan(NAMES * NAME)
  // More than twice as many names were used as the cache holds.
  expect(work.sizes[name] * work.each[name].length).toBeGreaterThan(2 * NAMES)
})

test('the measurement detects records that an exporter retains', () => {
  expect(retained('records that are kept')).toBeGreaterThan(POINTER)
})

test('buffers of queued records are released after they are written, except for a pool', () => {
  expect(work.buffers.waiting).toBeGreaterThan(POOL)
  expect(work.buffers.read).toBeLessThan(POOL)
})
