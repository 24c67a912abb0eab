import { describe, expect, test } from '@jest/globals'
import { Arrivals } from './arrivals.ts'
import { Lines } from './lines.ts'
import { randomOf } from './random.ts'
import { arrivedMessage, canary, soakRecord } from './records.ts'

const run = 'old.1'

/** The line of a record, as it should be written. */
function lineOf(seq: number, changes: object = {}, attributes: object = {}): string {
  const record = soakRecord(randomOf(5).fork(String(seq)), run, 1, seq)
  const { loggedLevel, ...rest } = record.attributes
  const { password: _, card: __, account: ___, request: ____, deep: _____, ...shown } = rest
  return JSON.stringify({
    timestamp: '2026-11-21T09:56:03.123Z',
    level: loggedLevel,
    message: arrivedMessage(seq),
    'otel.scope.name': run,
    attributes: { ...shown, loggedLevel, ...attributes },
    ...changes,
  })
}

function dropReportOf(dropped: number): string {
  return lineOf(0, { level: 'warn', 'otel.event.name': 'sluice.records_dropped', attributes: { dropped } })
}

function reportOf(text: string) {
  const arrivals = new Arrivals()
  const lines = new Lines((line) => arrivals.line(line))
  const bytes = Buffer.from(text)
  // Feed pieces whose boundaries differ from those of the lines.
  for (let at = 0; at < bytes.length; at += 100) lines.feed(bytes.subarray(at, at + 100))
  lines.end()
  return arrivals.report()
}

const three = [0, 1, 2].map((seq) => `${lineOf(seq)}\n`)

describe('records at the destination', () => {
  test('records are counted by process and sequence number', () => {
    expect(reportOf(`${three.join('')}${dropReportOf(4)}\n`)).toEqual({
      runs: { [run]: { sequences: [[0, 2]], dropReports: 1, duplicates: 0, repeated: [], late: 0 } },
      torn: 0,
      tornLines: [],
      records: 4,
      wrong: [],
    })
  })

  test('a record that is duplicated or out of order is counted once', () => {
    const { runs } = reportOf([three[0], three[2], three[1], three[1], three[1]].join(''))
    expect(runs[run]).toEqual({
      sequences: [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
      dropReports: 0,
      duplicates: 1,
      repeated: [[1, 1]],
      late: 1,
    })
  })

  test('the beginning of a line is counted as a torn line', () => {
    expect(reportOf(`${three[0]!.slice(0, 50)}\n${three[1]}`)).toMatchObject({ torn: 1, wrong: [] })
    expect(reportOf(three[0]!.slice(0, 50))).toMatchObject({ torn: 1, wrong: [] })
    expect(reportOf(`${three[0]!.slice(0, 5)}\n`)).toMatchObject({ torn: 1, wrong: [] })
  })

  test.each([
    ['a line that continues in another one', `${three[0]!.slice(0, 50)}${three[1]}`, 'a mixture'],
    ['the end of a line', three[0]!.slice(50), 'a mixture'],
    ['a record whose bytes were changed', three[0]!.replace(/x"/, 'z"'), 'was changed'],
    ['a record of another process', three[0]!.replace(`name":"${run}`, 'name":"old.2'), 'was changed'],
    ['another level', `${lineOf(0, { level: 'trace' })}\n`, 'another level'],
    ['another message', `${lineOf(0, { message: 'mine' })}\n`, 'another message'],
    [
      'a long attribute that lacks more than its marker states',
      `${lineOf(0, {}, { bulk: 'yyy…[+3 characters]', bulkLength: 7 })}\n`,
      'another bulk',
    ],
    [
      'a long attribute with something else in it',
      `${lineOf(0, {}, { bulk: 'yyxy', bulkLength: 4 })}\n`,
      'another bulk',
    ],
    ['a secret', `${lineOf(0, {}, { password: canary })}\n`, 'secret'],
    ['a secret in a torn line', `{"timestamp":"${canary}\n`, 'secret'],
  ])('a wrong record is reported: %s', (_what, text, sentence) => {
    expect(reportOf(text).wrong.join('\n')).toContain(sentence)
  })

  test('a truncated attribute with a correct marker is accepted', () => {
    expect(reportOf(`${lineOf(0, {}, { bulk: 'yyyy…[+3 characters]', bulkLength: 7 })}\n`).wrong).toEqual([])
  })
})
