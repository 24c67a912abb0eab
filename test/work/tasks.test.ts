import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'
import { countWork } from '../support/work/run.ts'
import type { TaskDestination, Tasks, TasksAsked } from '../support/work/tasks.ts'

const program = new URL('../support/work/tasks.ts', import.meta.url)
/** Some chunks, so that a pipe that nobody reads is full within the calls. */
const FEW = 4_000
const MANY = 100_000
/** Of a hundred calls 30 are not enabled. */
const ENABLED = 0.7
/** What a whole burst may ask for: the end of its turn, and a try again with a promise of its answer. */
const MOST = 8

const takes: readonly TaskDestination[] = [
  'at the end of the turn',
  'in a microtask',
  'in the call',
  'after a delay',
  'to memory',
]
const refuses: readonly TaskDestination[] = [
  'to a pipe that nobody reads',
  'to a pipe that nobody reads, with a full queue',
  'to a full device',
]

let directory: TemporaryDirectory
let found: readonly Tasks[]
let names = 0

beforeAll(async () => {
  directory = temporaryDirectory()
  const bursts = [...takes, ...refuses].flatMap((to) => [burst(to, FEW), burst(to, MANY)])
  const control: TasksAsked = { ...burst('at the end of the turn', FEW), busy: true }
  found = await countWork<Tasks[]>(program, { argument: [...bursts, control] })
})
afterAll(() => directory.remove())

function burst(to: TaskDestination, records: number): TasksAsked {
  return { to, records, path: directory.path(`pipe-${names++}`) }
}

function both(to: TaskDestination): { few: Tasks; many: Tasks } {
  const index = 2 * [...takes, ...refuses].indexOf(to)
  return { few: found[index]!, many: found[index + 1]! }
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}

describe.each([...takes, ...refuses])('records that go %s', (to) => {
  test('ask for as many timers, promises and turns as a 25th of them do, which is a handful', () => {
    const { few, many } = both(to)
    expect([few.emitted, many.emitted]).toEqual([FEW * ENABLED, MANY * ENABLED])
    expect(many.inCalls).toEqual(few.inCalls)
    expect(sum(many.inCalls) + sum(many.afterwards)).toBeLessThanOrEqual(MOST)
  })
})

test('a burst that is taken asks for the end of its turn, for one microtask, one timer or nothing', () => {
  const asked = takes.map((to) => both(to).many.inCalls)
  expect(asked).toEqual([{ Immediate: 1 }, { Microtask: 1 }, {}, { Timeout: 1 }, {}])
})

test('a full queue drops records without asking for more', () => {
  for (const to of refuses.slice(1)) expect(both(to).many.dropped).toBeGreaterThan(MANY / 2)
})

test('one of each that a logger has to make for each record is seen', () => {
  const each = FEW * ENABLED
  expect(found.at(-1)!.inCalls).toEqual({
    Timeout: each,
    Immediate: each + 1,
    Microtask: each,
    TickObject: each,
    PROMISE: each,
  })
})
