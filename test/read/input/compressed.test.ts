import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals'
import { writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { readLineChunks } from '../../../src/read/input/read-line-chunks.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { collect, type Collected } from './collect.ts'

let directory: TemporaryDirectory
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => directory.remove())

function read(content: Uint8Array, name = 'a.log'): Promise<Collected> {
  const path = directory.path(name)
  writeFileSync(path, content)
  return collect((onInputError) => readLineChunks(path, { onInputError }))
}

/** Lines that do not compress well, so that the compressed data has many blocks. */
const text = Array.from(
  { length: 20_000 },
  (_, index) => `{"line":${index},"value":"${(index * 2_654_435_761) % 1e9}"}\n`,
).join('')
const compressors = [
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
  // The default quality takes seconds.
  ['brotli', (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
] as const

describe('compressed inputs', () => {
  test.each(compressors)('are decompressed with %s by their content, whatever the name', async (_, compress) => {
    const { text: found, chunks, problems } = await read(compress(Buffer.from(text)))
    expect(found).toBe(text)
    expect(problems).toEqual([])
    expect(chunks.at(-1)).toMatchObject({ firstLine: 20_001, offset: text.length })
  })

  test.each(compressors.slice(0, 2))(
    'are decompressed with %s through all concatenated members',
    async (_, compress) => {
      const members = ['a\nb', 'c\n', '', text].map((member) => compress(Buffer.from(member)))
      const { text: found, problems } = await read(Buffer.concat(members))
      expect(found).toBe(`a\nbc\n${text}`)
      expect(problems).toEqual([])
    },
  )

  test.each(compressors)('that are truncated are returned as far as they can be read: %s', async (_, compress) => {
    const compressed = compress(Buffer.from(text))
    const { text: found, problems } = await read(
      compressed.subarray(0, Math.floor(compressed.length * 0.9)),
      'a.log.br',
    )
    expect(text.startsWith(found)).toBe(true)
    expect(found.length).toBeGreaterThan(text.length * 0.7)
    expect(problems).toEqual([expect.stringContaining('cannot be read to its end: the compressed data ends too early')])
  })

  test.each(compressors)('that are damaged are reported: %s', async (_, compress) => {
    const compressed = Buffer.from(compress(Buffer.from(text)))
    const middle = Math.floor(compressed.length / 2)
    compressed.fill(0xa5, middle, middle + 200)
    const { problems } = await read(compressed, 'a.log.br')
    expect(problems).toEqual([
      expect.stringMatching(/: cannot be read to its end: the compressed data (?:is damaged|ends too early) /),
    ])
  })

  test.each(compressors)('that are damaged are returned up to the damage: %s', async (_, compress) => {
    const compressed = Buffer.from(compress(Buffer.from(text)))
    const middle = Math.floor(compressed.length / 2)
    const before = await read(compressed.subarray(0, middle), 'a.log.br')
    compressed.fill(0xa5, middle, middle + 200)
    const { text: found } = await read(compressed, 'a.log.br')
    expect(before.text.length).toBeGreaterThan(text.length * 0.2)
    expect(found.startsWith(before.text)).toBe(true)
  })

  it('returns all lines of a gzip file whose checksum is wrong, and reports it', async () => {
    const compressed = gzipSync(text)
    compressed[compressed.length - 8]! ^= 1
    const { text: found, problems } = await read(compressed)
    expect(found).toBe(text)
    expect(problems).toEqual([expect.stringContaining('cannot be read to its end: the compressed data is damaged')])
  })

  it('returns an empty compressed file as an empty input', async () => {
    const { text: found, problems } = await read(gzipSync(''))
    expect([found, problems]).toEqual(['', []])
  })

  test.each([
    ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41]],
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00]],
  ])('names %s, which is not read', async (name, bytes) => {
    const { chunks, problems } = await read(Buffer.from(bytes))
    expect(chunks).toEqual([])
    expect(problems).toEqual([
      expect.stringContaining(`cannot be read: it is compressed with ${name}; decompress it first`),
    ])
  })

  it('returns lines with control codes as they are, if brotli does not accept them', async () => {
    const content = '\0\x01\x02 not text\nsecond\n'
    expect((await read(Buffer.from(content))).text).toBe(content)
  })
})
