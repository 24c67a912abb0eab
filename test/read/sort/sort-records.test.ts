import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { seed } from '../../support/seed.ts'
import { line, LogFolder, sorted } from './sorting.ts'

let folder: LogFolder
beforeAll(() => {
  folder = new LogFolder()
})
afterAll(() => folder.remove())

const messages = (records: readonly { readonly message: string | undefined }[]) => records.map(({ message }) => message)

/** A line of a random file: a time in seconds, if it has one, and whether it is a line of no known format. */
interface RandomLine {
  readonly seconds: number | undefined
  readonly isText: boolean
}

const randomLine = fc.record({
  seconds: fc.option(fc.nat(20), { nil: undefined, freq: 4 }),
  isText: fc.boolean(),
})

function lineOf({ seconds, isText }: RandomLine, message: string): string {
  if (isText) return `${message}\n`
  return seconds === undefined ? `${JSON.stringify({ level: 'info', message })}\n` : line(seconds * 1000, message)
}

/** Sorts by the definition: stable, and a line without a time has that of the line before it, or of the first one that has a time. */
function oracle(files: readonly (readonly RandomLine[])[]): string[] {
  const all = files.flatMap((lines, file) => {
    const times = lines.map(({ seconds, isText }) => (isText ? undefined : seconds))
    let time = times.find((each) => each !== undefined) ?? -Infinity
    return times.map((own, index) => {
      time = own ?? time
      return { time, message: `${file}-${index}` }
    })
  })
  return all.toSorted((a, b) => (a.time === b.time ? 0 : a.time - b.time)).map(({ message }) => message)
}

const otlpRecord = (seconds: number) => ({
  timeUnixNano: `${seconds}000000000`,
  body: { stringValue: `r${seconds}` },
})
const request = (...seconds: number[]) =>
  `${JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: seconds.map(otlpRecord) }] }] })}\n`
const cri = (time: string, stream: string, tag: string, text: string) => `${time} ${stream} ${tag} ${text}\n`

describe('sortRecords', () => {
  it('returns the records of random files as a stable sort does', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.array(randomLine, { maxLength: 12 }), { maxLength: 4 }),
      async (files) => {
        const paths = files.map((lines, file) =>
          folder.write(`random-${file}.log`, lines.map((each, index) => lineOf(each, `${file}-${index}`)).join('')),
        )
        const { records, problems } = await sorted(paths)
        expect(messages(records)).toEqual(oracle(files))
        expect(problems).toEqual([])
      },
    )
    await fc.assert(property, { seed, numRuns: 150 })
  })

  it('sorts records whose times differ by one nanosecond', async () => {
    const file = folder.write(
      'nanos.log',
      line('2026-01-01T00:00:00.000000002Z', 'second') + line('2026-01-01T00:00:00.000000001Z', 'first'),
    )
    expect(messages((await sorted([file])).records)).toEqual(['first', 'second'])
  })

  it('returns records that are not in order exactly as they are in the file', async () => {
    const attributes = { attributes: { user: 'é', list: [1, { a: null }] }, trace_id: 'a'.repeat(32) }
    const stack = 'Error: late\n    at main (app.js:1:2)\n'
    const file = folder.write(
      'exact.log',
      line(5000, 'last') + line(1000, 'first', attributes) + stack + line(2000, 'middle'),
    )
    const { records } = await sorted([file])
    expect(records.map(({ message, origin }) => [message, origin.line])).toEqual([
      ['first', 2],
      ['middle', 5],
      ['last', 1],
    ])
    expect(Buffer.from(records[0]!.raw).toString()).toBe(line(1000, 'first', attributes) + stack)
    expect(records[0]!.attributes.get('exception.stacktrace')).toContain('at main (app.js:1:2)')
    expect(records[0]!.origin.file).toBe(file)
  })

  it('sorts the records of one line separately', async () => {
    const file = folder.write('otlp.log', request(9, 3, 5) + request(4, 1))
    expect(messages((await sorted([file])).records)).toEqual(['r1', 'r3', 'r4', 'r5', 'r9'])
  })

  it('sorts records whose lines are not adjacent in the file', async () => {
    const json = line(1000, 'cut').trimEnd()
    const file = folder.write(
      'cri.log',
      cri('2026-01-01T00:00:05Z', 'stdout', 'F', line(5000, 'later').trimEnd()) +
        cri('2026-01-01T00:00:01Z', 'stdout', 'P', json.slice(0, 20)) +
        cri('2026-01-01T00:00:01Z', 'stderr', 'F', line(3000, 'between').trimEnd()) +
        cri('2026-01-01T00:00:01Z', 'stdout', 'F', json.slice(20)),
    )
    expect(messages((await sorted([file])).records)).toEqual(['cut', 'between', 'later'])
  })

  it('sorts compressed files that are not in order', async () => {
    const content = line(3000, 'three') + line(1000, 'one')
    const gz = folder.write('a.gz', gzipSync(content))
    const zst = folder.write('b.zst', zstdCompressSync(line(2000, 'two') + line(4000, 'four')))
    expect(messages((await sorted([gz, zst])).records)).toEqual(['one', 'two', 'three', 'four'])
  })

  it('sorts more compressed files than are decompressed at once', async () => {
    const files = Array.from({ length: 20 }, (_, index) =>
      folder.write(`many-${index}.gz`, gzipSync(line(1000 + index, `a${index}`) + line(2000 - index, `b${index}`))),
    )
    const { records } = await sorted(files)
    const times = records.map(({ time }) => time!)
    expect(times).toHaveLength(40)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
  })

  it('sorts 300 files that are not in order', async () => {
    const files = Array.from({ length: 300 }, (_, index) =>
      folder.write(`open-${index}.log`, line(1000 + index, `a${index}`) + line(5000 - index, `b${index}`)),
    )
    const { records } = await sorted(files)
    expect(messages(records)).toEqual([
      ...files.map((_, index) => `a${index}`),
      ...files.map((_, index) => `b${299 - index}`),
    ])
  })

  it('sorts only the accepted records, and calls the function once for each', async () => {
    const calls: string[] = []
    const file = folder.write('filter.log', line(3000, 'three') + line(1000, 'one') + line(2000, 'two'))
    const accepts = ({ message }: { readonly message: string | undefined }) => {
      calls.push(message!)
      return message !== 'one'
    }
    expect(messages((await sorted([file], { accepts })).records)).toEqual(['two', 'three'])
    expect(calls).toEqual(['three', 'one', 'two'])
  })

  it('sorts the traces in which a record matches', async () => {
    const traceId = 'ab'.repeat(16)
    const a = folder.write('trace-a.log', line(4000, 'match', { trace_id: traceId }) + line(3000, 'other'))
    const b = folder.write('trace-b.log', line(2000, 'same trace', { trace_id: traceId }) + line(1000, 'other'))
    const { records } = await sorted([a, b], { traceOf: ({ message }) => message === 'match' })
    expect(messages(records)).toEqual(['same trace', 'match'])
  })

  it('reports a file that does not exist, and sorts the others', async () => {
    const file = folder.write('exists.log', line(2000, 'two') + line(1000, 'one'))
    const { records, problems } = await sorted(['/does/not/exist', file], { folder: '/does/not/exist' })
    expect(messages(records)).toEqual(['one', 'two'])
    expect(problems).toEqual(['/does/not/exist: cannot be read: no such file (ENOENT)'])
  })

  it('names the folder of temporary files if it cannot be written', async () => {
    const file = folder.write('tmp.gz', gzipSync(line(2000, 'two') + line(1000, 'one')))
    await expect(sorted([file], { folder: '/does/not/exist' })).rejects.toMatchObject({
      name: 'TemporaryFileError',
      code: 'ENOENT',
      message: expect.stringContaining('cannot create a temporary file in /does/not/exist (ENOENT)'),
    })
  })
})
