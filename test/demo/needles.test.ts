import { expect, test } from '@jest/globals'
import { createNeedleCounter } from '../../demo/needles.ts'

// cspell:ignore abcab abcabcab

const needles = ['ab', 'abcab', 'zz', 'c'].map((needle) => Buffer.from(needle))
const text = 'abcabcab zab abcab cc ab'

test('needles are counted the same however the bytes are cut', () => {
  const expected = [7, 3, 0, 5]
  for (let size = 1; size <= text.length; size++) {
    const counter = createNeedleCounter(needles)
    for (let at = 0; at < text.length; at += size) counter.push(Buffer.from(text.slice(at, at + size)))
    expect([size, counter.counts]).toEqual([size, expected])
  }
})
