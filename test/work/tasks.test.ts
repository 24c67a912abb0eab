import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { countWork } from '../support/work/run.ts'
import type { TaskDestination, TaskCounts, TaskBurst } from '../support/work/tasks.ts'

const program = new URL('../support/work/tasks.ts', import.meta.url)
/** Enough records to fill a pipe without a reader during the calls. */
const FEW = 4_000
const MANY = 100_000
/** 30 of every 100 calls are at a disabled level. */
const ENABLED = 0.7
/** How many tasks a whole burst may schedule: an immediate, and a retry with a promise of its result. */
const MOST = 8

const accepting: readonly TaskDestination[] = [
  'at the end of the turn',
  'in a microtask',
  'in the call',
  'after a delay',
  'to memory',
]
const rejecting: readonly TaskDestination[] = [
  'to a pipe that is not read',
  'to a pipe that is not read, with a full queue',
  'to a full device',
]

let directory: TemporaryDirectory
let found: readonly TaskCounts[]
let names = 0

beforeAll(async () => {
  directory = temporaryDirectory()
  const bursts = [...accepting, ...rejecting].flatMap((to) => [burst(to, FEW), burst(to, MANY)])
  const control: TaskBurst = { ...burst('at the end of the turn', FEW), busy: true }
  found = await countWork<TaskCounts[]>(program, { argument: [...bursts, control] })
})
afterAll(() => directory.remove())

function burst(to: TaskDestination, records: number): TaskBurst {
  return { to, records, path: directory.path(`pipe-${names++}`) }
}

function both(to: TaskDestination): { few: TaskCounts; many: TaskCounts } {
  const index = 2 * [...accepting, ...rejecting].indexOf(to)
  return { few: found[index]!, many: found[index + 1]! }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}

describe.each([...accepting, ...rejecting])('tasks scheduled for records that are written %s', (to) => {
  test('100,000 calls schedule as many timers, promises and immediates as 4,000 calls, and at most 8', () => {
    const { few, many } = both(to)
    expect([few.emitted, many.emitted]).toEqual([FEW * ENABLED, MANY * ENABLED])
    expect(many.inCalls).toEqual(few.inCalls)
    expect(sum(many.inCalls) + sum(many.afterwards)).toBeLessThanOrEqual(MOST)
  })
})

test('a burst that the destination accepts schedules one immediate, one microtask, one timer or nothing', () => {
  const scheduled = accepting.map((to) => both(to).many.inCalls)
  expect(scheduled).toEqual([{ Immediate: 1 }, { Microtask: 1 }, {}, { Timeout: 1 }, {}])
})

test('a full queue drops more than half of the records of a burst', () => {
  for (const to of rejecting.slice(1)) expect(both(to).many.dropped).toBeGreaterThan(MANY / 2)
})

test('the measurement detects a task of each kind that is scheduled for each record', () => {
  const each = FEW * ENABLED
  expect(found.at(-1)!.inCalls).toEqual({
    Timeout: each,
    Immediate: each + 1,
    Microtask: each,
    TickObject: each,
    PROMISE: each,
  })
})
