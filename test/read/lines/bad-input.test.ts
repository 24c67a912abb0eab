import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { seed } from '../../support/seed.ts'
import { RecordReader } from '../../../src/read/lines/record-reader.ts'
import { streamParts } from './mixed-stream.ts'
import { readBytes, textOf } from './read-bytes.ts'

const good = '{"level":30,"time":1795254963123,"msg":"good"}\n'

function sortedLines(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/(?<=\n)/)).toSorted()
}

describe('RecordReader', () => {
  it.each<readonly [string, string | Buffer]>([
    ['NUL bytes', '\0\0\0\n'],
    ['a NUL byte in JSON', '{"level":30,"msg":"a\0b"}\n'],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe, 0x80, 10])],
    ['a lone bracket', ']\n'],
    ['20,000 levels of arrays', `${'['.repeat(20_000)}\n`],
    ['20,000 levels of objects that do not end', `${'{"a":'.repeat(20_000)}\n`],
    ['a cut object', '{"level":30,"msg":"cu\n'],
    ['JSON that is not an object', '[{"level":30}]\n'],
    ['an object that is not a record', '{"a":1}\n'],
    ['an empty line', '\n'],
    ['a carriage return', '\r\n'],
    ['a line of 2 MiB', `${'x'.repeat(2 << 20)}\n`],
    ['a prefix without a line', 'web-1  |\n'],
    ['an OTLP request without records', '{"resourceLogs":[]}\n'],
  ])('keeps %s as text, and reads the lines around it', (_name, line) => {
    const bytes = Buffer.concat([Buffer.from(good), Buffer.from(line), Buffer.from(good)])
    const items = readBytes(bytes)
    expect(items.map(({ record }) => record?.message)).toEqual(['good', undefined, 'good'])
    expect(Buffer.concat(items.map(({ raw }) => raw)).equals(bytes)).toBe(true)
  })

  it('reads a record with invalid UTF-8, and keeps its bytes', () => {
    const bytes = Buffer.concat([Buffer.from('{"level":30,"msg":"a'), Buffer.from([0xff]), Buffer.from('b"}\r\n')])
    const [item] = readBytes(bytes)
    expect(item!.record!.message).toBe('a\uFFFDb')
    expect(item!.raw).toEqual(bytes)
  })

  it('reads a record after a byte order mark', () => {
    expect(readBytes(`\uFEFF${good}`).map(({ record, raw }) => [record?.message, raw.length])).toEqual([
      ['good', good.length + 3],
    ])
  })

  it('reads a line that is longer than 1 MiB as a record if it is one', () => {
    const long = 'x'.repeat(2 << 20)
    const lines = [`{"level":30,"msg":"${long}"}\n`, `web-1  | {"level":30,"msg":"${long}"}\n`, `info: ${long}\n`]
    expect(readBytes(lines.join('')).map(({ record }) => record?.message?.length)).toEqual(lines.map(() => long.length))
  })

  it('keeps the parts of a line that was too long for one chunk as text', () => {
    const texts: string[] = []
    const sink = { record: () => texts.push('record'), text: (bytes: Uint8Array) => texts.push(String(bytes.length)) }
    const reader = new RecordReader({ file: 'a', sink })
    const chunk = (text: string, continuesLine: boolean) =>
      reader.read({ bytes: Buffer.from(text), firstLine: 1, offset: 0, isEnd: false, continuesLine })
    chunk('{"level":30,"msg":"', false)
    chunk('{"level":30}', true)
    chunk(`"}\n${good}`, true)
    reader.flush()
    expect(texts).toEqual(['19', '12', '3', 'record'])
  })

  it('loses no byte of any input, and gives out lines in order', () => {
    const pieces = fc.oneof(
      fc.constantFrom(...streamParts.flatMap(({ lines }) => lines)),
      fc.constantFrom(
        '\n',
        '\r\n',
        '\n    at x',
        '\n\t',
        '  ',
        '\u001B[31m',
        '{',
        '}',
        '"',
        '<34>1 ',
        'P ',
        '| ',
        '__CURSOR=',
        '\0',
      ),
      fc.string({ maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), fc.array(fc.integer({ min: 1, max: 9 })), (texts, counts) => {
        const text = Buffer.from(texts.join(''))
        const items = readBytes(text, {}, counts)
        // Lines of a record can be apart if other containers wrote between them.
        expect(sortedLines(items.map(textOf))).toEqual(sortedLines([text.toString()]).filter((line) => line !== ''))
        const numbers = items.map(({ origin }) => origin.line)
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      }),
      { seed, numRuns: 300 },
    )
  })
})
