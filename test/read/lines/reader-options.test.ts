import { describe, expect, it } from '@jest/globals'
import { RecordReader } from '../../../src/read/lines/record-reader.ts'
import { readBytes } from './read-bytes.ts'

const lines = '{"level":30,"time":1795254963123,"msg":"json"}\nlevel=info a=b\na=b\nweb-1  | a=b\n'
const formats = (items: ReturnType<typeof readBytes>) => items.map(({ record }) => record?.format)

describe('RecordReader', () => {
  it('reads lines only in the format that is given', () => {
    expect(formats(readBytes(lines))).toEqual(['pino', 'logfmt', undefined, undefined])
    expect(formats(readBytes(lines, { input: 'logfmt' }))).toEqual([undefined, 'logfmt', 'logfmt', 'logfmt'])
    expect(formats(readBytes(lines, { input: 'pino' }))).toEqual(['pino', undefined, undefined, undefined])
    expect(formats(readBytes(lines, { input: 'text' }))).toEqual([undefined, undefined, undefined, undefined])
  })

  it('reads fields with the given names', () => {
    const fieldNames = new Map([['level', 'sev']])
    const [item] = readBytes('{"level":30,"sev":"error","msg":"x","time":1795254963123}\n', { fieldNames })
    expect(item!.record!.level).toBe('error')
  })

  it('holds a record back until the next line or flush', () => {
    const given: (string | undefined)[] = []
    const sink = { record: ({ message }: { message: string | undefined }) => given.push(message), text: () => {} }
    const reader = new RecordReader({ file: 'a', sink })
    const read = (text: string) => reader.read({ bytes: Buffer.from(text), firstLine: 1, offset: 0, isEnd: false })
    read('{"level":30,"msg":"first"}\n')
    expect(given).toEqual([])
    read('{"level":30,"msg":"second"}\n')
    expect(given).toEqual(['first'])
    reader.flush()
    expect(given).toEqual(['first', 'second'])
  })
})
