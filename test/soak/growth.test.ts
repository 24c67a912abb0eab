import { describe, expect, test } from '@jest/globals'
import { growthOf } from './growth.ts'
import type { Sample } from './messages.ts'

const mebibyte = 1024 * 1024
const one: Sample = {
  rss: 120 * mebibyte,
  heapTotal: 30 * mebibyte,
  heapUsed: 20 * mebibyte,
  external: 8 * mebibyte,
  arrayBuffers: 4 * mebibyte,
  fds: 25,
  resources: { Timeout: 2, PipeWrap: 3 },
  listeners: { exit: 2 },
}

/** Samples of which the last ones have grown. */
function growing(change: (index: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 12 }, (_, index) => ({ ...one, ...change(index) }))
}

describe('growth of the resources of a process', () => {
  test('resources that go up and down have not grown', () => {
    expect(growthOf(growing((index) => ({ heapUsed: (20 + (index % 3)) * mebibyte, fds: 25 + (index % 2) })))).toEqual(
      [],
    )
  })

  test('a few samples are not enough to detect growth', () => {
    expect(growthOf(growing(() => ({})).slice(0, 5))).toBeUndefined()
  })

  test.each<[string, (index: number) => Partial<Sample>]>([
    ['bytes of heap', (index) => ({ heapUsed: (20 + index) * mebibyte })],
    ['bytes outside of the heap', (index) => ({ external: (8 + index) * mebibyte })],
    ['bytes of RSS', (index) => ({ rss: (120 + 20 * index) * mebibyte })],
    ['descriptors', (index) => ({ fds: 25 + index })],
    ['timers and handles', (index) => ({ resources: { Timeout: 2 + index } })],
    ['listeners', (index) => ({ listeners: { exit: 2, SIGTERM: index } })],
  ])('growth is detected: %s', (what, change) => {
    expect(growthOf(growing(change))).toEqual([expect.stringMatching(`^${what} grew from `)])
  })
})
