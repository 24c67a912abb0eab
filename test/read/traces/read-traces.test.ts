import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ReadRecord } from '../../../src/read/record.ts'
import { readTraces } from '../../../src/read/traces/read-traces.ts'
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

  it('returns only the accepted records of the traces', async () => {
    const file = folder.write('d.log', line(1, 'one', first) + line(2, 'match', first))
    const accepts = (record: ReadRecord) => !matches(record)
    const records = await flattened(readTraces([file], matches, { onInputError, accepts }))
    expect(records.map(({ message }) => message)).toEqual(['one'])
  })
})
