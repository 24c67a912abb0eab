import { beforeAll, describe, expect, test } from '@jest/globals'
import type { DisabledCall, DisabledWork } from '../support/work/disabled.ts'
import { collectsNothing } from '../support/work/heap.ts'
import { countWork } from '../support/work/run.ts'

const program = new URL('../support/work/disabled.ts', import.meta.url)
const calls: readonly DisabledCall[] = [
  'a message',
  'a message and attributes',
  'attributes and a message',
  'a child logger',
  'a method by itself',
  'a lazy call',
]
const control: DisabledCall = 'an object made for each call, which is kept'
/** A million calls allocate a kilobyte or two for those who measure. */
const NOTHING = 0.01

let alone: DisabledWork
let besides: DisabledWork

beforeAll(async () => {
  alone = await bytesOf(false)
  besides = await bytesOf(true)
})

function bytesOf(enabledToo: boolean): Promise<DisabledWork> {
  return countWork<DisabledWork>(program, { argument: enabledToo, flags: collectsNothing })
}

describe.each(calls)('%s at a level that is not enabled', (call) => {
  test('allocates nothing in a program that logs nothing', () => {
    expect(alone[call]).toBeLessThan(NOTHING)
  })

  test('allocates nothing in a program that logs at other levels', () => {
    expect(besides[call]).toBeLessThan(NOTHING)
  })
})

test('an object that the caller makes is seen', () => {
  expect(alone[control]).toBeGreaterThan(16)
  expect(besides[control] - besides['a message and attributes']).toBeGreaterThan(16)
})
