import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import realBole from 'bole'
import * as fc from 'fast-check'
import bole, { type Bole } from '../../../src/entries/bole.ts'
import { withControlsEscaped } from '../escaped-controls.ts'
import { call, text } from '../arbitraries.ts'
import { isPlainLine } from '../pino/support.ts'
import { Chunks } from './support.ts'

beforeEach(() => {
  jest.useFakeTimers({ now: 1_700_000_000_123 })
})
afterEach(() => {
  bole.reset()
  jest.useRealTimers()
})

const levels = fc.constantFrom('debug', 'info', 'warn', 'error')

/** JSON omits the undefined `err`, so the serialized Error comes after the other members. */
const error = Object.assign(new Error('x'), { stack: 'Error: x', code: 'E', extra: 1 })
const withUndefinedErr: [typeof error, Record<string, unknown>, string] = [error, { err: undefined, a: 1 }, 'm']

function lineOf(
  make: Bole,
  name: string,
  subname: string | undefined,
  fast: boolean,
  level: string,
  args: unknown[],
): string {
  const kept = new Chunks()
  make.reset().output({ level: 'info', stream: kept })
  if (fast) make.setFastTime()
  const log = subname === undefined ? make(name) : make(name)(subname)
  log[level as 'info'](...args)
  return kept.text
}

test("a line equals bole's line when that is valid JSON with unique keys and no lost values", () => {
  let compared = 0
  fc.assert(
    fc.property(
      text,
      fc.option(text, { nil: undefined }),
      fc.boolean(),
      levels,
      call,
      (name, sub, fast, level, args) => {
        let theirs: string | undefined
        try {
          theirs = lineOf(realBole as unknown as Bole, name, sub, fast, level, args)
        } catch {
          // bole itself throws for some arguments
        }
        const ours = lineOf(bole, name, sub, fast, level, args)
        expect(ours === '' || isPlainLine(ours)).toBe(true)
        if (theirs === undefined || (theirs !== '' && !isPlainLine(theirs))) return
        if (theirs.includes('[unable to serialize')) return
        compared++
        expect(ours).toBe(withControlsEscaped(theirs))
      },
    ),
    { numRuns: 2_000, examples: [['', undefined, false, 'error', withUndefinedErr]] },
  )
  expect(compared).toBeGreaterThan(1_000)
})
