import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { OpenBytes } from '../../../src/pipeline/batch-buffer.ts'
import { byteBuffers } from '../../../src/platform/node/byte-buffers.ts'

const KIB = 1_024

describe('the bytes of a text', () => {
  const buffers = byteBuffers()
  const unit = fc.oneof(
    fc.constantFrom('a', '\u007f', 'é', 'ÿ', 'Ā', '日', '😀', '\ud800', '\udc00', '\ufeff', '\u0000'),
    fc.string({ unit: 'binary' }),
  )

  test('the bytes of a text are its UTF-8, with U+FFFD for a lone surrogate', () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom(1, 50), (parts, times) => {
        const text = parts.join('').repeat(times)
        const bytes = buffers.encode(text)
        expect(Buffer.from(bytes).equals(Buffer.from(text, 'utf8'))).toBe(true)
        buffers.release(bytes)
      }),
    )
  })

  test('the bytes of appended pieces are the UTF-8 of each piece', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 50, 9_000), (parts, times) => {
        const pieces = parts.map((part) => part.repeat(times))
        const open = pieces.reduce<OpenBytes | undefined>((open, piece) => buffers.append(open, piece), undefined)
        const bytes = buffers.finish(open!)
        // Each piece is encoded on its own: surrogates of two pieces do not form a character.
        expect(Buffer.from(bytes).equals(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))).toBe(true)
        buffers.release(bytes)
      }),
    )
  })

  test.each([47, 48, 63, 64, 65, 72, 73, 200])('the bytes of a concatenated text of %d KiB are its UTF-8', (kib) => {
    for (const character of ['a', 'é', '日', '😀']) {
      let text = ''
      while (text.length < kib * KIB) text += character + 'x'.repeat(1_000)
      expect(Buffer.from(buffers.encode(text)).equals(Buffer.from(text))).toBe(true)
    }
  })
})

/** Texts of very different lengths. */
function textOf(seq: number): string {
  return `${seq} `.repeat(1 + ((seq * 7_919) % 9_000))
}

test('two texts in use never share memory, even after other buffers were released', () => {
  const buffers = byteBuffers()
  const inUse = new Map<number, Uint8Array>()
  for (let seq = 0; seq < 300; seq++) {
    inUse.set(seq, buffers.encode(textOf(seq)))
    if (seq % 3 !== 0) continue
    const [first] = inUse.keys()
    buffers.release(inUse.get(first!)!)
    inUse.delete(first!)
  }
  for (const [seq, bytes] of inUse) expect(Buffer.from(bytes).toString()).toBe(textOf(seq))
})

test('many open buffers in use do not share memory, and take little more memory than their content', () => {
  const buffers = byteBuffers()
  const wave = Array.from({ length: 100 }, (_, seq) => {
    const text = `${seq} `.repeat(4_000)
    return { text, bytes: buffers.finish(buffers.append(buffers.append(undefined, text), text)) }
  })
  for (const { text, bytes } of wave) expect(Buffer.from(bytes).toString()).toBe(text + text)
  const held = new Set(wave.map(({ bytes }) => bytes.buffer))
  expect(held.size).toBe(wave.length)
  const total = [...held].reduce((sum, memory) => sum + memory.byteLength, 0)
  const needed = wave.reduce((sum, { text }) => sum + 2 * text.length, 0)
  expect(total).toBeLessThan(needed + 20 * 72 * KIB)
})

test('a sequence of long texts that are released uses one buffer', () => {
  const buffers = byteBuffers()
  const memory = new Set<ArrayBufferLike>()
  for (let seq = 0; seq < 100; seq++) {
    const bytes = buffers.encode(`${seq} `.repeat(10_000))
    memory.add(bytes.buffer)
    buffers.release(bytes)
  }
  expect(memory.size).toBe(1)
})

test('a sequence of short texts that are released uses one buffer', () => {
  const buffers = byteBuffers()
  const memory = new Set<ArrayBufferLike>()
  for (let seq = 0; seq < 100; seq++) {
    const bytes = buffers.encode(`${seq}\n`)
    memory.add(bytes.buffer)
    buffers.release(bytes)
  }
  expect(memory.size).toBe(1)
})

test('thousands of short texts in use take little more memory than their bytes', () => {
  const buffers = byteBuffers()
  const memory = new Set<ArrayBufferLike>()
  for (let seq = 0; seq < 5_000; seq++) memory.add(buffers.encode('x'.repeat(600)).buffer)
  const size = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0)
  expect(size).toBeLessThan(5_000 * 600 + 2 * KIB * KIB)
})

test('the number of pooled buffers is limited', () => {
  const buffers = byteBuffers()
  const wave = Array.from({ length: 200 }, () => buffers.encode('x'.repeat(60 * KIB)))
  const first = new Set(wave.map(({ buffer }) => buffer))
  for (const bytes of wave) buffers.release(bytes)
  const again = Array.from({ length: 200 }, () => buffers.encode('x'.repeat(60 * KIB)))
  expect(again.filter(({ buffer }) => first.has(buffer)).length).toBeLessThanOrEqual(16)
})

test('texts that are longer than a pooled buffer reuse at most two buffers', () => {
  const buffers = byteBuffers('latin1')
  const piece = 'x'.repeat(16 * KIB)
  const memory = new Set<ArrayBufferLike>()
  for (let chunk = 0; chunk < 50; chunk++) {
    let open: OpenBytes | undefined
    for (let part = 0; part < 15; part++) open = buffers.append(open, piece)
    const bytes = buffers.finish(open!)
    expect(bytes.length).toBe(240 * KIB)
    if (chunk > 1) memory.add(bytes.buffer)
    buffers.release(bytes)
  }
  expect(memory.size).toBeLessThanOrEqual(2)
})

test('very long buffers are not pooled', () => {
  const buffers = byteBuffers('latin1')
  const text = 'x'.repeat(3 * 1024 * KIB)
  const first = buffers.encode(text)
  buffers.release(first)
  expect(buffers.encode(text).buffer).not.toBe(first.buffer)
})
