import { describe, expect, it } from '@jest/globals'
import { array, assert, constantFrom, integer, option, property, record } from 'fast-check'
import { MergeWindow } from '../../../src/read/follow/merge-window.ts'

interface Item {
  readonly source: string
  readonly time: number | undefined
  readonly sequence: number
}

/** Adds items at their arrival times, and releases them as late as allowed. Returns them in order, with the time of their release. */
function merge(
  arrivals: readonly (Omit<Item, 'sequence'> & { readonly at: number })[],
  windowMillis: number,
): { readonly item: Item; readonly at: number; readonly heldFor: number }[] {
  const released: { item: Item; at: number; heldFor: number }[] = []
  let now = 0
  const arrivedAt = new Map<Item, number>()
  const window = new MergeWindow<Item>({
    windowMillis,
    onItem: (item) => released.push({ item, at: now, heldFor: now - arrivedAt.get(item)! }),
  })
  arrivals.forEach(({ source, time, at }, sequence) => {
    for (let due = window.nextReleaseAt; due !== undefined && due <= at; due = window.nextReleaseAt) {
      now = due
      window.release(now)
    }
    now = at
    const item = { source, time, sequence }
    arrivedAt.set(item, now)
    window.add(source, time, item, now)
  })
  window.flush()
  return released
}

describe('MergeWindow', () => {
  it('returns items that arrive within the window in the order of their times', () => {
    const released = merge(
      [
        { source: 'a', time: 30, at: 0 },
        { source: 'b', time: 10, at: 50 },
        { source: 'a', time: 40, at: 60 },
        { source: 'b', time: 20, at: 199 },
        { source: 'b', time: 25, at: 250 },
      ],
      200,
    )
    expect(released.map(({ item }) => item.time)).toEqual([10, 20, 30, 25, 40])
  })

  it('keeps items without a time behind the item that their source added before them', () => {
    const released = merge(
      [
        { source: 'a', time: 20, at: 0 },
        { source: 'a', time: undefined, at: 1 },
        { source: 'b', time: 10, at: 2 },
        { source: 'b', time: undefined, at: 3 },
        { source: 'a', time: undefined, at: 4 },
      ],
      200,
    )
    expect(released.map(({ item }) => item.sequence)).toEqual([2, 3, 0, 1, 4])
  })

  it('returns every item once, holds none longer than the window, and orders items that are held together', () => {
    const arrival = record({
      source: constantFrom('a', 'b', 'c'),
      time: option(integer({ min: 0, max: 50 }), { nil: undefined }),
      gap: integer({ min: 0, max: 60 }),
    })
    assert(
      property(array(arrival, { maxLength: 60 }), integer({ min: 0, max: 200 }), (arrivals, windowMillis) => {
        let at = 0
        const timed = arrivals.map(({ gap, ...rest }) => ({ ...rest, at: (at += gap) }))
        const released = merge(timed, windowMillis)
        expect(released.map(({ item }) => item.sequence).toSorted((a, b) => a - b)).toEqual(arrivals.map((_, n) => n))
        expect(Math.max(0, ...released.map(({ heldFor }) => heldFor))).toBeLessThanOrEqual(windowMillis)
        for (let index = 1; index < released.length; index++) {
          const [before, after] = [released[index - 1]!, released[index]!]
          const wasHeld = after.at - after.heldFor < before.at
          const isLater = (before.item.time ?? -Infinity) > (after.item.time ?? Infinity)
          expect(wasHeld && isLater).toBe(false)
        }
      }),
    )
  })

  it('returns the earliest item when it holds too many', () => {
    const items: number[] = []
    const window = new MergeWindow<number>({ windowMillis: 1_000, maxItems: 2, onItem: (item) => items.push(item) })
    for (const time of [3, 1, 2]) window.add('a', time, time, 0)
    expect(items).toEqual([1])
    expect(window.nextReleaseAt).toBe(1_000)
  })
})
