import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { ContextFilter } from '../../../src/cli/view/context.ts'
import { seed } from '../../support/seed.ts'

/** Returns what a filter gives for items that match or do not: their indexes, and `--` for a separator. */
function filtered(before: number, after: number, matches: readonly boolean[]): (number | string)[] {
  const given: (number | string)[] = []
  const filter = new ContextFilter<number>(before, after, {
    item: (item) => given.push(item),
    separator: () => given.push('--'),
  })
  for (const [index, isMatch] of matches.entries()) filter.add(index, isMatch)
  return given
}

/** Returns the same by the definition: an item is given if a match is near, and groups are separated where items are omitted. */
function oracle(before: number, after: number, matches: readonly boolean[]): (number | string)[] {
  const indexes = matches.flatMap((_, index) =>
    matches.slice(Math.max(0, index - after), index + before + 1).includes(true) ? [index] : [],
  )
  return indexes.flatMap((index, at) =>
    at > 0 && index > indexes[at - 1]! + 1 && before + after > 0 ? ['--', index] : [index],
  )
}

describe('ContextFilter', () => {
  it('gives each item near a match once, with separators between groups', () => {
    const context = fc.nat(4)
    const matches = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()), { maxLength: 40 })
    const property = fc.property(context, context, matches, (before, after, each) => {
      expect(filtered(before, after, each)).toEqual(oracle(before, after, each))
    })
    fc.assert(property, { seed, numRuns: 500 })
  })

  it('gives no separator between groups that are adjacent', () => {
    expect(filtered(1, 1, [true, false, false, true])).toEqual([0, 1, 2, 3])
  })

  it('gives no item of another input as context, and separates the inputs', () => {
    const given: (number | string)[] = []
    const filter = new ContextFilter<number>(2, 2, {
      item: (item) => given.push(item),
      separator: () => given.push('--'),
    })
    for (const [item, isMatch] of [false, true].entries()) filter.add(item, isMatch)
    filter.endInput()
    for (const [item, isMatch] of [false, false, false, true].entries()) filter.add(10 + item, isMatch)
    filter.endInput()
    filter.add(20, false)
    expect(given).toEqual([0, 1, '--', 11, 12, 13])
  })

  it('gives no separators without context, as grep does', () => {
    expect(filtered(0, 0, [true, false, true])).toEqual([0, 2])
  })
})
