import { describe, expect, it } from '@jest/globals'
import * as fc from 'fast-check'
import type { NeededRecords } from '../../../src/read/lines/line-filter.ts'
import { RecordReader } from '../../../src/read/lines/record-reader.ts'
import type { ReadRecord } from '../../../src/read/record.ts'
import { seed } from '../../support/seed.ts'
import { readBytes, textOf } from './read-bytes.ts'
import { streamParts } from './mixed-stream.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'notice', 'INFO']
const ids = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b74bf92f3577b34da6', 'cafe']

/** Lines of loggers, some of which have members that change the level that the first members show. */
const jsonLines: fc.Arbitrary<string> = fc.oneof(
  fc
    .record({
      level: fc.constantFrom(...levels),
      id: fc.constantFrom(...ids),
      // A line of this package has the number before the message.
      rest: members().filter((member) => !member.includes('severity_')),
    })
    .map(
      ({ level, id, rest }) => `{"timestamp":"2026-11-21T09:56:03.123Z","level":"${level}","message":"a ${id}"${rest}}`,
    ),
  fc
    .record({ level: fc.constantFrom(10, 20, 30, 35, 40, 50, 60), id: fc.constantFrom(...ids), rest: members() })
    .map(({ level, id, rest }) => `{"level":${level},"time":1795254963123,"trace_id":"${id}"${rest},"msg":"b"}`),
  fc
    .record({ level: fc.constantFrom(20, 30, 50), rest: members() })
    .map(
      ({ level, rest }) =>
        `{"name":"app1","hostname":"h","pid":7,"level":${level},"msg":"c"${rest},"time":"2026-11-21T09:56:03.123Z","v":0}`,
    ),
  fc
    .constantFrom(...levels)
    .map((level) => `{"level":"${level}","message":"winston","timestamp":"2026-11-21T09:56:03Z"}`),
)

/** Members after the first ones, with which a line has another level, another format or an escape, or is damaged. */
function members(): fc.Arbitrary<string> {
  return fc.constantFrom(
    '',
    '',
    '',
    ',"a":{"level":50}',
    ',"level":"error"',
    ',"level":60',
    ',"severity_number":17',
    ',"severity_text":"ERROR","severity_number":17',
    String.raw`,"\u006cevel":"error"`,
    String.raw`,"trace_id":"\u0063afe"`,
    String.raw`,"color":"\u001b[31mcafe"`,
    ',"cut":"',
    '}{"level":50',
    ',"attributes":{"severity_number":3}',
  )
}

const input = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: jsonLines },
      { weight: 1, arbitrary: fc.constantFrom(...streamParts).map(({ lines }) => lines.join('\n')) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '',
          '    at frame (a.js:1:1)',
          '  cafe',
          'TypeError: x',
          'Caused by: cafe',
          'goroutine 1 [running]:',
          '/app/cafe.js:1',
          '[0] cafe',
          '22 <14>1 - - - - - - cafe22 <14>1 - - - - - - cafe',
          '}',
          'text cafe',
          '{',
          '\r',
        ),
      },
    ),
    { maxLength: 40 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.map((line) => line + end).join('')))

const needed: fc.Arbitrary<NeededRecords> = fc.record(
  {
    minSeverity: fc.constantFrom(2, 5, 9, 10, 13, 17, 21),
    texts: fc.array(fc.uniqueArray(fc.constantFrom(...ids, 'app'), { minLength: 1 }), { maxLength: 2 }),
  },
  { requiredKeys: [] },
)

/** Returns whether a record may be needed: its lines have the texts, also if they are escaped there. */
function isNeeded(
  { severityNumber, raw, message, traceId, attributes }: ReadRecord,
  { minSeverity = 0, texts = [] }: NeededRecords,
) {
  if (severityNumber !== 0 && severityNumber < minSeverity) return false
  const text = [Buffer.from(raw).toString(), message, traceId, ...[...attributes.values()].map(String)].join('\n')
  return texts.every((group) => group.some((one) => text.includes(one)))
}

function line(level: string, id: string): string {
  return `{"timestamp":"2026-11-21T09:56:03.123Z","level":"${level}","message":"x","trace_id":"${id}"}\n`
}

function threeLines(message: string): string {
  return `{"level":30,"time":1795254963123,"msg":"${message}"}\n`.repeat(3)
}

describe('RecordReader with needed records', () => {
  it('gives out every record that is needed, as without the option', () => {
    fc.assert(
      fc.property(input, needed, fc.array(fc.integer({ min: 1, max: 9 })), (text, needed, counts) => {
        const records = (options: object) =>
          readBytes(text, options, counts).flatMap(({ record, raw, origin }) =>
            record !== undefined && isNeeded(record, needed)
              ? [{ raw: raw.toString(), origin, level: record.level, attributes: record.attributes }]
              : [],
          )
        expect(records({ needed })).toEqual(records({}))
      }),
      { seed, numRuns: 500 },
    )
  })

  it('does not give out lines whose first bytes have a low level, or that lack a text', () => {
    const low = line('info', ids[0]!).repeat(100)
    const text = low + line('error', ids[1]!) + low
    const byLevel = readBytes(text, { needed: { minSeverity: 17 } })
    // The first line is learned, and the last one could be followed by a stack trace.
    expect(byLevel.map(textOf)).toEqual([line('info', ids[0]!), line('error', ids[1]!), line('info', ids[0]!)])
    const byText = readBytes(text, { needed: { texts: [[ids[1]!]] } })
    expect(byText.map(textOf)).toEqual([line('error', ids[1]!), line('info', ids[0]!)])
    expect(byText.map(({ origin }) => origin.line)).toEqual([101, 201])
  })

  it('searches a reused buffer again for each chunk', () => {
    const records: (string | undefined)[] = []
    const sink = { record: ({ message }: ReadRecord) => records.push(message), text: () => {} }
    const reader = new RecordReader({ file: 'a', needed: { texts: [['bbbb']] }, reuseBuffer: true, sink })
    const bytes = Buffer.from(threeLines('aaaa'))
    reader.read({ bytes, firstLine: 1, offset: 0, isEnd: false })
    bytes.write(threeLines('bbbb'))
    reader.read({ bytes, firstLine: 4, offset: bytes.length, isEnd: true })
    // The last line of a chunk could be followed by a stack trace, so it is read.
    expect(records).toEqual(['aaaa', 'bbbb', 'bbbb', 'bbbb'])
  })
})
