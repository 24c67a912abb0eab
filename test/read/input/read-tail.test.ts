import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { assert, asyncProperty, array, boolean, constantFrom, integer, nat, string } from 'fast-check'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { readTail } from '../../../src/read/input/read-tail.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'
import { collect, type Collected } from './collect.ts'

let directory: TemporaryDirectory
beforeEach(() => {
  directory = temporaryDirectory()
})
afterEach(() => directory.remove())

function tail(content: Uint8Array | string, lines: number, chunkBytes?: number): Promise<Collected> {
  const path = directory.path('a.log')
  writeFileSync(path, content)
  return collect((onInputError) =>
    readTail(path, lines, { onInputError, ...(chunkBytes !== undefined && { chunkBytes }) }),
  )
}

/** Returns the last lines of a text as `tail -n` does. */
function lastLines(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/)
  return count === 0 ? '' : lines.slice(-count).join('')
}

describe('readTail', () => {
  const lines = array(string({ unit: constantFrom('a', 'b'), maxLength: 9 }), { minLength: 1, maxLength: 30 })

  it('returns the last lines of any file, whether it ends with a newline or not, and compressed or not', async () => {
    await assert(
      asyncProperty(
        lines,
        boolean(),
        nat(35),
        boolean(),
        integer({ min: 1, max: 40 }),
        async (lines, isEnded, count, isCompressed, chunkBytes) => {
          const text = lines.join('\n') + (isEnded ? '\n' : '')
          const { text: found, chunks, problems } = await tail(isCompressed ? gzipSync(text) : text, count, chunkBytes)
          expect(found).toBe(lastLines(text, count))
          expect(chunks.at(-1)!.isEnd).toBe(true)
          expect(problems).toEqual([])
        },
      ),
      { numRuns: 100 },
    )
  })

  it('finds the last lines of a file over several blocks', async () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `line ${index} ${'x'.repeat(index % 50)}\n`).join('')
    for (const count of [1, 2_000, 4_321, 19_999, 20_000, 20_001]) {
      expect((await tail(text, count)).text).toBe(lastLines(text, count))
    }
  })

  it('reads only the end of a large file', async () => {
    // Bytes that are read are counted by the offset of the first chunk.
    const { chunks } = await tail(`${'x'.repeat(999)}\n`.repeat(10_000), 3)
    expect(chunks[0]!.offset).toBe(9_997_000)
  })

  it('numbers the lines of a compressed file, but not those of other files', async () => {
    expect((await tail('a\nb\nc\n', 1)).chunks[0]!.firstLine).toBe(NaN)
    expect((await tail(gzipSync('a\nb\nc\n'), 1)).chunks[0]).toMatchObject({ firstLine: 3, offset: 4 })
  })

  it('keeps the byte order mark of a file that is returned completely', async () => {
    expect((await tail('\uFEFFa\nb\n', 5)).text).toBe('\u00EF\u00BB\u00BFa\nb\n')
  })
})
