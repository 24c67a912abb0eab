import { expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { parseTimeRange } from '../../../src/cli/options/time-range.ts'

const now = Date.UTC(2026, 2, 10, 12, 30, 15, 500)
const utc = { now, isUtc: true }
const start = (text: string): string => new Date(parseTimeRange(text, utc, '--since').start).toISOString()

test.each([
  ['now', '2026-03-10T12:30:15.500Z'],
  ['-3d', '2026-03-07T12:30:15.500Z'],
  ['-1h30m', '2026-03-10T11:00:15.500Z'],
  ['-90s', '2026-03-10T12:28:45.500Z'],
  ['10:30', '2026-03-10T10:30:00.000Z'],
  ['9:05:07.25', '2026-03-10T09:05:07.250Z'],
  ['2026-03-01', '2026-03-01T00:00:00.000Z'],
  ['2026-03-01T10:30', '2026-03-01T10:30:00.000Z'],
  ['2026-03-01 10:30:15,123', '2026-03-01T10:30:15.123Z'],
  ['2026-03-01T10:30:00Z', '2026-03-01T10:30:00.000Z'],
  ['2026-03-01T10:30:00+02:00', '2026-03-01T08:30:00.000Z'],
  ['2026-03-01t10:30:00-0330', '2026-03-01T14:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['today', '2026-03-10T00:00:00.000Z'],
  ['Yesterday', '2026-03-09T00:00:00.000Z'],
])('the time %s is %s', (text, expected) => {
  expect(start(text)).toBe(expected)
})

test.each([
  ['today', 86_400_000],
  ['yesterday', 86_400_000],
  ['2026-03-01', 86_400_000],
  ['10:30', 0],
  ['-3d', 0],
])('the time %s is a range of %d milliseconds', (text, length) => {
  const range = parseTimeRange(text, utc, '--until')
  expect(range.end - range.start).toBe(length)
})

test.each([
  '',
  '2026',
  '2026-13-01',
  '2026-02-29',
  '2026-03-01T24:00',
  '10:60',
  '25:00',
  '3d',
  '-3',
  '-x',
  'tomorrow',
  '10:30Z',
])('the time %j is rejected', (text) => {
  expect(() => parseTimeRange(text, utc, '--since')).toThrow(`--since: '${text}' is not a time; write 2026-03-01, `)
})

test('a time without an offset is local time', () => {
  const local = { now, isUtc: false }
  expect(parseTimeRange('2026-03-01T10:30:00', local, '--since').start).toBe(new Date(2026, 2, 1, 10, 30).getTime())
  expect(parseTimeRange('today', local, '--since').start).toBe(new Date(now).setHours(0, 0, 0, 0))
})

test('every time that toISOString writes is read as the same time', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      fc.pre(date.getUTCFullYear() >= 100)
      expect(start(date.toISOString())).toBe(date.toISOString())
    }),
  )
})
