import { expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { GatherBuffer } from '../../../src/cli/terminal/gather-buffer.ts'
import { nastyText } from '../../support/values/arbitraries.ts'

/** Gathers parts, and returns the pieces that were written before and after `flush`. */
function gather(parts: readonly (string | Uint8Array)[]): { pieces: Buffer[]; flushed: Buffer[] } {
  const pieces: Buffer[] = []
  const buffer = new GatherBuffer((bytes, length) => pieces.push(Buffer.from(bytes.subarray(0, length))))
  for (const part of parts) {
    if (typeof part === 'string') buffer.add(part)
    else buffer.addBytes(part)
  }
  const before = pieces.splice(0)
  buffer.flush()
  expect(buffer.isEmpty).toBe(true)
  return { pieces: before, flushed: pieces }
}

const part = fc.oneof(
  nastyText,
  fc
    .tuple(nastyText, fc.integer({ min: 1, max: 60_000 }))
    .map(([text, count]) => text.repeat(Math.ceil(count / (text.length + 1)))),
  fc.uint8Array({ maxLength: 50 }),
  fc.integer({ min: 0, max: 150_000 }).map((length) => new Uint8Array(length).fill(97)),
)

it('writes the same bytes as were added, in order', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const { pieces, flushed } = gather(parts)
      const expected = Buffer.concat(parts.map((item) => Buffer.from(item as string)))
      expect(Buffer.concat([...pieces, ...flushed]).equals(expected)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

it('keeps surrogate pairs together in long text', () => {
  for (const start of ['', 'a']) {
    const text = start + '😀'.repeat(50_000)
    const { pieces, flushed } = gather([text])
    expect(Buffer.concat([...pieces, ...flushed]).toString()).toBe(text)
  }
})

it('needs few writes for many short texts, and little memory for a long one', () => {
  const pieces = gather(Array.from({ length: 10_000 }, () => 'x'.repeat(100))).pieces.length
  expect(pieces).toBeGreaterThan(10)
  expect(pieces).toBeLessThan(16)
  for (const piece of gather(['y'.repeat(10_000_000)]).pieces) expect(piece.length).toBeLessThan(131_072)
})
