import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { byteBuffers } from '../../../src/platform/edge/byte-buffers.ts'

describe('appended texts', () => {
  test.each([
    ['utf8', fc.string({ unit: 'grapheme' })],
    ['latin1', fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)) })],
  ] as const)('texts that are appended as %s have the bytes of the whole text', (form, text) => {
    const buffers = byteBuffers(form)
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        const [first, ...more] = texts
        const open = more.reduce((so, next) => buffers.append(so, next), buffers.append(undefined, first!))
        const bytes = buffers.finish(open)
        const whole = texts.join('')
        expect(Buffer.from(bytes).equals(Buffer.from(whole, form))).toBe(true)
        expect(Buffer.from(buffers.encode(whole)).equals(Buffer.from(bytes))).toBe(true)
        expect(buffers.decode(bytes)).toBe(whole)
      }),
    )
  })
})

test('a lone surrogate becomes U+FFFD, and a byte order mark is kept', () => {
  const buffers = byteBuffers()
  expect(buffers.decode(buffers.encode('\ufeffa\ud800'))).toBe('\ufeffa\ufffd')
})
