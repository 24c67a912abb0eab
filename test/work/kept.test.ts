import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { compilesNothing } from '../support/work/heap.ts'
import type { BurstName, KeptWork } from '../support/work/kept.ts'
import { countWork } from '../support/work/run.ts'

const program = new URL('../support/work/kept.ts', import.meta.url)
/** Bytes. Whatever is kept of something takes as many at least. */
const POINTER = 8
/** What is known of a name of a member, in bytes. */
const NAME = 512
/** How many of them are kept at the top, and below it; see ShapeSettings. */
const NAMES = 10_000
/** See byteBuffers: 16 of 72 KiB, and a margin for those of Node. */
const POOL = 16 * 72 * 1024 + 65_536

const newNames = [
  'names that are all different',
  'redacted names that are all different',
  'names below a name that are all different',
] as const
const forgotten: readonly BurstName[] = [
  'records of one shape',
  'messages that are all different',
  'errors',
  'child loggers',
  'loggers that are shut down',
  'contexts',
  'flushes',
]

let directory: TemporaryDirectory
let work: KeptWork

beforeAll(async () => {
  directory = temporaryDirectory()
  work = await countWork<KeptWork>(program, { argument: directory.path('pipe'), flags: compilesNothing })
})
afterAll(() => directory.remove())

/** Of each, by the bursts after the first one: what only one of them leaves is no growth. */
function kept(name: BurstName): number {
  return Math.min(...work.each[name].slice(1))
}

describe.each(forgotten)('%s', (name) => {
  test('leave less than a pointer each on the heap', () => {
    expect(kept(name)).toBeLessThan(POINTER)
  })
})

test.each(newNames)('%s are kept up to a bound', (name) => {
  const grown = work.each[name].reduce((sum, each) => sum + each)
  expect(work.each[name][0]).toBeGreaterThan(POINTER)
  expect(grown * work.sizes[name]).toBeLessThan(NAMES * NAME)
  // Twice as much would be more than the bound.
  expect(work.sizes[name] * work.each[name].length).toBeGreaterThan(2 * NAMES)
})

test('records that an exporter keeps are seen', () => {
  expect(kept('records that are kept')).toBeGreaterThan(POINTER)
})

test('the buffers of records that waited are let go of when they are written, but for a pool', () => {
  expect(work.buffers.waiting).toBeGreaterThan(POOL)
  expect(work.buffers.read).toBeLessThan(POOL)
})
