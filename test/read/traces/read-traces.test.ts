import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { ReadRecord } from '../../../src/read/record.ts'
import { readTraces } from '../../../src/read/traces/read-traces.ts'
import { seed } from '../../support/seed.ts'
import { flattened, line, LogFolder } from '../sort/sorting.ts'

let folder: LogFolder
beforeAll(() => {
  folder = new LogFolder()
})
afterAll(() => folder.remove())

const onInputError = (file: string, message: string): void => {
  throw new Error(`${file}: ${message}`)
}
const first = { trace_id: '1'.repeat(32) }
const second = { trace_id: '2'.repeat(32) }

const hasMatch = ({ message }: ReadRecord) => message?.includes('match') === true
const matches = ({ message }: ReadRecord) => message === 'match'

describe('readTraces', () => {
  it('returns all records of the traces in which a record matches, of all files, in their order', async () => {
    const a = folder.write(
      'a.log',
      line(1, 'a1', first) + line(2, 'a2', second) + 'a text\n' + line(3, 'match', first) + line(4, 'a4'),
    )
    const b = folder.write('b.log', line(5, 'b5', first) + line(6, 'b6') + line(7, 'b7', second))
    const records = await flattened(readTraces([b, a], matches, { onInputError }))
    expect(records.map(({ message }) => message)).toEqual(['b5', 'a1', 'match'])
  })

  it('returns a record that matches and is in no trace', async () => {
    const file = folder.write('c.log', line(1, 'one') + line(2, 'match') + line(3, 'three', first))
    const records = await flattened(readTraces([file], matches, { onInputError }))
    expect(records.map(({ message }) => message)).toEqual(['match'])
  })

  it('finds the same traces if only lines with the texts of a match are parsed', async () => {
    const message = fc.constantFrom('match', 'no', 'a match', String.raw`\u006datch`)
    const trace = fc.constantFrom(first.trace_id, second.trace_id, '3'.repeat(32))
    const json = fc
      .record({ message, trace, member: fc.constantFrom('message', 'msg') })
      .map(({ message, trace, member }) => `{"level":"info","${member}":"${message}","trace_id":"${trace}"}`)
    const other = fc.constantFrom('match', '    at match (a.js:1:1)', `level=info msg=match trace_id=${first.trace_id}`)
    const lines = fc.array(fc.oneof({ weight: 4, arbitrary: json }, other), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(lines, async (lines) => {
        const file = folder.write('mixed.log', lines.map((text) => `${text}\n`).join(''))
        const rawLines = async (options: object) =>
          (await flattened(readTraces([file], hasMatch, { onInputError, ...options }))).map(({ raw }) => String(raw))
        expect(await rawLines({ neededByTraces: { texts: [['match']] } })).toEqual(await rawLines({}))
      }),
      { seed, numRuns: 200 },
    )
  })

  it('parses a line that lacks the texts of a match only once', async () => {
    const file = folder.write('e.log', line(1, 'one', first).repeat(50) + line(2, 'match', second))
    let tested = 0
    const countingMatches = (record: ReadRecord) => {
      tested++
      return matches(record)
    }
    await flattened(readTraces([file], countingMatches, { onInputError, neededByTraces: { texts: [['match']] } }))
    expect(tested).toBe(1)
  })

  it('returns only the accepted records of the traces', async () => {
    const file = folder.write('d.log', line(1, 'one', first) + line(2, 'match', first))
    const accepts = (record: ReadRecord) => !matches(record)
    const records = await flattened(readTraces([file], matches, { onInputError, accepts }))
    expect(records.map(({ message }) => message)).toEqual(['one'])
  })
})
