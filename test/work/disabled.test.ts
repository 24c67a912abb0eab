import { beforeAll, describe, expect, test } from '@jest/globals'
import type { DisabledCall, DisabledWork } from '../support/work/disabled.ts'
import { noCollectionFlags } from '../support/work/heap.ts'
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
/** Bytes per call. The measurement itself allocates one or two kilobytes in a million calls. */
const NOTHING = 0.01

let alone: DisabledWork
let withOthers: DisabledWork

beforeAll(async () => {
  alone = await bytesOf(false)
  withOthers = await bytesOf(true)
})

function bytesOf(enabledToo: boolean): Promise<DisabledWork> {
  return countWork<DisabledWork>(program, { argument: enabledToo, flags: noCollectionFlags })
}

describe.each(calls)('disabled log calls: %s', (call) => {
  test('a call at a disabled level allocates nothing in a program that logs nothing', () => {
    expect(alone[call]).toBeLessThan(NOTHING)
  })

  test('a call at a disabled level allocates nothing in a program that logs at other levels', () => {
    expect(withOthers[call]).toBeLessThan(NOTHING)
  })
})

test('the measurement detects an object that the caller creates for each call', () => {
  expect(alone[control]).toBeGreaterThan(16)
  expect(withOthers[control] - withOthers['a message and attributes']).toBeGreaterThan(16)
})
