import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { hasControlBytes } from '../../../src/read/lines/control-bytes.ts'

test('a control character other than a line feed is found at each position of a buffer', () => {
  const byte = fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 32, max: 255 }) },
    { weight: 2, arbitrary: fc.constant(10) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 31 }) },
  )
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 24 }), fc.nat(4), (bytes, offset) => {
      // Words of four bytes begin at each of four positions of a buffer.
      const buffer = Buffer.from([...Buffer.alloc(offset), ...bytes, 0, 0]).subarray(offset, offset + bytes.length)
      expect(hasControlBytes(buffer)).toBe(bytes.some((code) => code < 32 && code !== 10))
    }),
    { numRuns: 3_000 },
  )
})
