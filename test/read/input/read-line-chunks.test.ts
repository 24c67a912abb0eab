import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals'
import { assert, asyncProperty, array, boolean, constantFrom, integer, string } from 'fast-check'
import { ftruncateSync, mkdirSync, openSync, closeSync, readdirSync, writeFileSync } from 'node:fs'
import { readLineChunks } from '../../../src/read/input/read-line-chunks.ts'
import { InputError } from '../../../src/read/input/input-error.ts'
import type { InputOptions } from '../../../src/read/input/line-chunk.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { collect, type Collected } from './collect.ts'

let directory: TemporaryDirectory
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => directory.remove())

function write(content: string | Uint8Array, name = 'a.log'): string {
  const path = directory.path(name)
  writeFileSync(path, content)
  return path
}

function read(path: string, options: InputOptions = {}): Promise<Collected> {
  return collect((onInputError) => readLineChunks(path, { ...options, onInputError }))
}

describe('readLineChunks', () => {
  it('returns any content unchanged in chunks that end with a newline, and numbers lines and bytes', async () => {
    const lines = array(string({ unit: constantFrom('a', 'é', '\r', '\0', '"'), maxLength: 60 }))
    await assert(
      asyncProperty(
        lines,
        boolean(),
        integer({ min: 1, max: 50 }),
        boolean(),
        async (lines, isEnded, chunkBytes, reuseBuffer) => {
          const content = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))
          const { text, chunks, problems } = await read(write(content), { chunkBytes, reuseBuffer })
          expect(text).toBe(content.toString('latin1'))
          expect(problems).toEqual([])
          let [offset, line] = [0, 1]
          for (const chunk of chunks) {
            expect(chunk).toMatchObject({ offset, firstLine: line, isEnd: chunk === chunks.at(-1) })
            expect(chunk.isEnd || chunk.bytes.at(-1) === 10).toBe(true)
            offset += chunk.bytes.length
            line += chunk.bytes.toString('latin1').split('\n').length - 1
          }
        },
      ),
      { numRuns: 100 },
    )
  })

  it('keeps the bytes of a chunk while later ones are read', async () => {
    const path = write(Array.from({ length: 5_000 }, (_, index) => `line ${index}\n`).join(''))
    const chunks = []
    for await (const { bytes } of readLineChunks(path, { chunkBytes: 1_000 })) chunks.push(bytes)
    expect(chunks.length).toBeGreaterThan(30)
    expect(Buffer.concat(chunks).toString().split('\n')[4_999]).toBe('line 4999')
    expect(Buffer.concat(chunks).toString().split('\n')[0]).toBe('line 0')
  })

  it('returns one empty last chunk for an empty file', async () => {
    const { chunks, problems } = await read(write(''))
    expect(chunks).toEqual([{ bytes: Buffer.alloc(0), firstLine: 1, offset: 0, isEnd: true }])
    expect(problems).toEqual([])
  })

  it('returns a line that is longer than the maximum in parts, each of which continues the one before', async () => {
    const { text, chunks } = await read(write(`a\n${'x'.repeat(5_000)}\nb\n`), { chunkBytes: 100, maxLineBytes: 1_000 })
    expect(text).toBe(`a\n${'x'.repeat(5_000)}\nb\n`)
    const parts = chunks.filter(({ continuesLine }) => continuesLine)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.map(({ firstLine }) => firstLine)).toEqual(parts.map(() => 2))
    expect(chunks.at(-1)?.firstLine).toBe(4)
  })

  it('keeps a byte order mark of UTF-8', async () => {
    const { text, chunks } = await read(write('\uFEFFa\nb'))
    expect(text).toBe('\u00EF\u00BB\u00BFa\nb')
    expect(chunks[0]!.offset).toBe(0)
  })

  test.each(['utf-16le', 'utf-16be'])('converts %s with a byte order mark to UTF-8', async (encoding) => {
    const content = Buffer.from(`\uFEFFgrün 😀\n${'ü'.repeat(40_000)}\nlast`, 'utf16le')
    const { text } = await read(write(encoding === 'utf-16be' ? content.swap16() : content))
    expect(Buffer.from(text, 'latin1').toString()).toBe(`grün 😀\n${'ü'.repeat(40_000)}\nlast`)
  })

  it('names a missing file in the problem', async () => {
    const path = directory.path('missing.log')
    expect((await read(path)).problems).toEqual([`${path}: cannot be read: no such file (ENOENT)`])
  })

  it('reports a directory', async () => {
    mkdirSync(directory.path('d'))
    const { problems, chunks } = await read(directory.path('d'))
    expect(problems).toEqual([expect.stringContaining('it is a directory (EISDIR)')])
    expect(chunks).toEqual([])
  })

  it('throws an InputError with the name of the file without onInputError', async () => {
    const path = directory.path('missing.log')
    await expect(readLineChunks(path).next()).rejects.toThrow(InputError)
    await expect(readLineChunks(path).next()).rejects.toMatchObject({ file: path, code: 'SLUICE_INPUT_UNREADABLE' })
  })

  it('returns what was read of a file that shrinks, and reports it', async () => {
    const path = write('0123456789\n'.repeat(1_000))
    const fd = openSync(path, 'r+')
    const { chunks, problems } = await collect(async function* (onInputError) {
      for await (const chunk of readLineChunks(path, { chunkBytes: 1_000, onInputError })) {
        if (chunk.offset === 0) ftruncateSync(fd, 500)
        yield chunk
      }
    })
    closeSync(fd)
    expect(chunks[0]!.bytes.toString()).toMatch(/^(?:0123456789\n){90}$/)
    expect(chunks.at(-1)!.isEnd).toBe(true)
    expect(problems).toEqual([expect.stringContaining('it was truncated while it was read')])
  })

  it('closes the file when iteration is ended by break', async () => {
    const path = write('a\n'.repeat(10_000))
    const before = openDescriptors()
    for (let count = 0; count < 20; count++) {
      for await (const _ of readLineChunks(path, { chunkBytes: 100 })) break
    }
    expect(openDescriptors()).toBeLessThan(before + 5)
  })

  it('ends when its signal is aborted', async () => {
    const controller = new AbortController()
    const chunks = []
    for await (const chunk of readLineChunks('/dev/zero', { maxLineBytes: 1_000_000, signal: controller.signal })) {
      chunks.push(chunk)
      if (chunks.length === 3) controller.abort()
    }
    expect(chunks.length).toBeLessThan(10)
  })

  it('lets other work of the process run while a file is read', async () => {
    const path = write(Buffer.alloc(20_000_000, 'x'.repeat(99) + '\n'))
    let turns = 0
    let immediate = setImmediate(function count() {
      turns++
      immediate = setImmediate(count)
    })
    for await (const _ of readLineChunks(path, { reuseBuffer: true }));
    clearImmediate(immediate)
    expect(turns).toBeGreaterThan(1)
  })
})

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length
}
