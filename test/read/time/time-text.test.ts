import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { instantOf } from '../../../src/read/time/calendar.ts'
import { isTimeText, parseTimeText } from '../../../src/read/time/time-text.ts'
import { seed } from '../../support/seed.ts'

/** A Monday, 13:30 in Berlin. */
const now = Date.parse('2026-11-23T12:30:15.250Z')

function parse(text: string, timeZone = 'utc'): string | undefined {
  const time = parseTimeText(text, { now, timeZone })
  return time === undefined ? undefined : new Date(time).toISOString()
}

describe('parseTimeText', () => {
  test.each([
    ['now', '2026-11-23T12:30:15.250Z'],
    ['today', '2026-11-23T00:00:00.000Z'],
    ['Yesterday', '2026-11-22T00:00:00.000Z'],
    ['-3d', '2026-11-20T12:30:15.250Z'],
    ['-15m', '2026-11-23T12:15:15.250Z'],
    ['-1h30m', '2026-11-23T11:00:15.250Z'],
    ['-2w', '2026-11-09T12:30:15.250Z'],
    ['-250ms', '2026-11-23T12:30:15.000Z'],
    ['-1.5h', '2026-11-23T11:00:15.250Z'],
    ['10m', '2026-11-23T12:20:15.250Z'],
    ['+10m', '2026-11-23T12:40:15.250Z'],
    ['10:30', '2026-11-23T10:30:00.000Z'],
    ['10:30:15', '2026-11-23T10:30:15.000Z'],
    ['10:30:15.5', '2026-11-23T10:30:15.500Z'],
    ['10:30Z', '2026-11-23T10:30:00.000Z'],
    ['10:30+02:00', '2026-11-23T08:30:00.000Z'],
    ['2026-11-23', '2026-11-23T00:00:00.000Z'],
    ['2026-11', '2026-11-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-23T10:30', '2026-11-23T10:30:00.000Z'],
    ['2026-11-23 10:30:15,123', '2026-11-23T10:30:15.123Z'],
    ['2026-11-23T10:30:15.123456789Z', '2026-11-23T10:30:15.123Z'],
    ['2026-11-23t10:30:15z', '2026-11-23T10:30:15.000Z'],
    ['2026-11-23T10:30:15+01:00', '2026-11-23T09:30:15.000Z'],
    ['2026-11-23T10:30:15-0530', '2026-11-23T16:00:15.000Z'],
    ['2026-11-23 10:30 +01', '2026-11-23T09:30:00.000Z'],
    [' 2026-11-23 ', '2026-11-23T00:00:00.000Z'],
    ['1795428000', '2026-11-23T10:00:00.000Z'],
    ['1795428000.5', '2026-11-23T10:00:00.500Z'],
    ['1795428000500', '2026-11-23T10:00:00.500Z'],
    ['1795428000500000', '2026-11-23T10:00:00.500Z'],
    ['1795428000500000000', '2026-11-23T10:00:00.500Z'],
    ['@0', '1970-01-01T00:00:00.000Z'],
    ['@-1', '1969-12-31T23:59:59.000Z'],
  ])('parses %j as %s', (text, time) => {
    expect(parse(text)).toBe(time)
  })

  const invalid = [
    '||tomorow|12|2026|-3|3x|-d|3d4|- 3d|10|10:|10:30:|10:60|24:00|10:30:60|Z|+01:00|T10:30|NaN|Infinity|1e9|0x65000000',
    '2026-13-01|2026-00-01|2026-02-29|2026-04-31|0026-01-01|2026-11-23T|2026-11-23T25:00|2026-11-2310:30|2026-11 10:30',
    `2026-11-23Tnow|2026-11-23T10:30Zz|-${'9'.repeat(30)}d|${'9'.repeat(64)}|${'-1d'.repeat(50)}|٢٠٢٦-١١-٢٣`,
  ]
  test.each(invalid.flatMap((texts) => texts.split('|')))('does not parse %j', (text) => {
    expect(parse(text)).toBeUndefined()
    expect(isTimeText(text)).toBe(false)
  })

  test('keeps fractions of a millisecond', () => {
    expect(parseTimeText('2026-11-23T10:00:00.0005Z')).toBe(Date.parse('2026-11-23T10:00:00Z') + 0.5)
  })

  test.each([
    ['Europe/Berlin', '10:30', '2026-11-23T09:30:00.000Z'],
    ['Europe/Berlin', 'today', '2026-11-22T23:00:00.000Z'],
    ['Europe/Berlin', '2026-07-01T10:30', '2026-07-01T08:30:00.000Z'],
    ['Asia/Kolkata', '2026-11-23', '2026-11-22T18:30:00.000Z'],
    // 12:30 UTC is the 24th there.
    ['Pacific/Kiritimati', 'today', '2026-11-23T10:00:00.000Z'],
    ['Pacific/Kiritimati', 'yesterday', '2026-11-22T10:00:00.000Z'],
    ['Pacific/Kiritimati', '10:30', '2026-11-23T20:30:00.000Z'],
    // The clocks are set from 2:00 to 3:00 on this day, and from 3:00 to 2:00 on that day.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['+05:30', '10:30', '2026-11-23T05:00:00.000Z'],
  ])('reads a time without a zone in the zone %s: %s', (timeZone, text, time) => {
    expect(parse(text, timeZone)).toBe(time)
  })

  test('reads a time without a zone in the local zone by default', () => {
    expect(parseTimeText('2026-07-01T10:30', { now })).toBe(new Date(2026, 6, 1, 10, 30).getTime())
    expect(parseTimeText('10:30', { now })).toBe(new Date(now).setHours(10, 30, 0, 0))
    expect(parseTimeText('yesterday', { now })).toBe(
      new Date(new Date(now).setHours(0, 0, 0, 0)).setDate(new Date(now).getDate() - 1),
    )
  })

  test('never throws, and returns a time that a Date can represent', () => {
    const unit = fc.constantFrom(...Array.from('0123456789-:.,TZ +@dhmswnoty'))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit, maxLength: 30 }), fc.string({ unit: 'binary' })), (text) => {
        const time = parseTimeText(text, { now, timeZone: 'utc' })
        expect(time === undefined || Number.isFinite(new Date(time).getTime())).toBe(true)
      }),
      { seed, numRuns: 5_000 },
    )
  })
})

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kathmandu'])(
  'a time that clocks in %s show is the instant at which they show it',
  (timeZone) => {
    const format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
      hourCycle: 'h23',
    })
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        (date) => {
          const [year, month, day, hour, minute, second] = format.format(date).split(/\D+/).map(Number)
          const time = { year: year!, month: month!, day: day!, hour: hour!, minute: minute!, second: second! }
          const instant = instantOf(time, timeZone)
          expect(format.format(instant)).toBe(format.format(date))
          // Of two instants at which clocks show the same time, it is the first one.
          expect(instant).toBeLessThanOrEqual(date.getTime())
        },
      ),
      { seed, numRuns: 300 },
    )
  },
)
