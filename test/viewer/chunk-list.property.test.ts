import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { ChunkList } from '../../src/viewer/server/chunk-list.ts'
import { runs } from '../support/runs.ts'
import { seed } from '../support/seed.ts'

const chunk = fc
  .tuple(fc.oneof(fc.nat(20), fc.integer({ min: 1_900, max: 2_200 }), fc.nat(40_000)), fc.nat(255))
  .map(([length, byte]) => Buffer.alloc(length, byte))

test('a list of chunks has all of their bytes in their order', () => {
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 60, size: 'max' }), (chunks) => {
      const list = new ChunkList()
      for (const each of chunks) list.add(each)
      expect(list.join().equals(Buffer.concat(chunks))).toBe(true)
    }),
    { seed, numRuns: 200 * runs },
  )
})

test('a body that arrives as one chunk is not copied', () => {
  const list = new ChunkList()
  const only = Buffer.from('hello')
  list.add(only)
  expect(list.join()).toBe(only)
})
