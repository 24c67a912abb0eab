import { describe, expect, it } from '@jest/globals'
import { dockerLine } from './mixed-stream.ts'
import { readBytes, recordsIn, textOf } from './read-bytes.ts'

const cri = (tags: string, text: string, stream = 'stdout'): string =>
  `2016-10-06T00:17:09.669794202Z ${stream} ${tags} ${text}\n`
const long = `{"level":30,"time":1795254963123,"msg":"${'é"x'.repeat(9_000).replaceAll('"', '\\"')}"}`

describe('RecordReader', () => {
  it("joins the parts of 16 KiB that Docker's json-file has", () => {
    const parts: string[] = []
    for (let at = 0; at < long.length; at += 16_384) parts.push(long.slice(at, at + 16_384))
    parts[parts.length - 1] += '\n'
    const lines = parts.map((part) => `${dockerLine(part)}\n`).join('')
    const [record, ...others] = recordsIn(lines)
    expect(record!.message).toBe('é"x'.repeat(9_000))
    expect(Buffer.from(record!.raw).toString()).toBe(lines)
    expect(others).toEqual([])
  })

  it('joins the parts of each stream that a CRI runtime has', () => {
    const lines = cri('P', '{"level":30,') + cri('P', '{"level":50,', 'stderr') + cri('F', '"msg":"out"}')
    const records = recordsIn(lines + cri('F:x', '"msg":"err"}', 'stderr'))
    expect(records.map(({ level, message, origin }) => [level, message, origin.stream])).toEqual([
      ['info', 'out', 'stdout'],
      ['error', 'err', 'stderr'],
    ])
  })

  it('joins 10,000 parts', () => {
    const text = `{"level":30,"msg":"${'x'.repeat(9_980)}"}`
    const lines = text
      .split('')
      .map((part, index) => cri(index === text.length - 1 ? 'F' : 'P', part))
      .join('')
    const [record, ...others] = recordsIn(lines)
    expect(record!.message).toBe('x'.repeat(9_980))
    expect(Buffer.from(record!.raw).toString()).toBe(lines)
    expect(others).toEqual([])
  })

  it('gives out parts without an end at 8 MiB, marked as incomplete', () => {
    const line = cri('P', 'x'.repeat(16_000))
    const text = line.repeat(1_100) + cri('F', '{"level":30,"msg":"later"}', 'stderr')
    const items = readBytes(text)
    expect(items.map(({ record }) => record!.message!.length)).toEqual([525 * 16_000, 525 * 16_000, 50 * 16_000, 5])
    expect(items.map(({ record }) => record!.attributes.get('sluice.line_incomplete'))).toEqual([
      true,
      true,
      true,
      undefined,
    ])
    expect(items.map(textOf).join('') === text).toBe(true)
  })

  it('marks a line as incomplete if its last part is missing', () => {
    const [cut, next] = recordsIn(cri('P', '{"level":30,"msg":"cut'))
    expect([cut!.format, cut!.message, cut!.attributes.get('sluice.line_incomplete')]).toEqual([
      'text',
      '{"level":30,"msg":"cut',
      true,
    ])
    expect(next).toBeUndefined()
  })

  it('reads the last line of a program that ended without a newline, and the record after it', () => {
    const records = recordsIn(`${dockerLine('bye')}\n${dockerLine('{"level":30,"msg":"restarted"}\n')}\n`)
    expect(records.map(({ message }) => message)).toEqual(['bye', 'restarted'])
    expect(records[0]!.attributes.size).toBe(0)
    expect(recordsIn(`${dockerLine('{"level":30,"msg":"last"}')}\n`).map(({ message }) => message)).toEqual(['last'])
  })
})
