import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { nanosOf, timeOf } from '../../../src/read/formats/times.ts'

const second = 1_795_254_963_000
const localSecond = new Date(2026, 10, 21, 9, 56, 3).getTime()

describe('times', () => {
  test.each([
    ['2026-11-21T09:56:03.123Z', second + 123, 123_000_000],
    ['2026-11-21T09:56:03Z', second, 0],
    ['2026-11-21 09:56:03.5Z', second + 500, 500_000_000],
    ['2026-11-21T09:56:03.123456Z', second + 123.456, 123_456_000],
    ['2026-11-21T09:56:03.123456789Z', second + 123.456_7, 123_456_789],
    ['2026-11-21T09:56:03.1234567891Z', second + 123.456_7, 123_456_789],
    ['2026-11-21T10:56:03.123+01:00', second + 123, 123_000_000],
    ['2026-11-21T04:26:03.123-0530', second + 123, 123_000_000],
    ['2026-11-21 09:56:03,123 UTC', second + 123, 123_000_000],
    ['Sat, 21 Nov 2026 09:56:03 GMT', second, 0],
    ['1795254963', second, 0],
    ['1795254963.5', second + 500, 500_000_000],
    ['1795254963123', second + 123, 123_000_000],
    ['1795254963123456', second + 123.456, 123_456_000],
    ['1795254963123456789', second + 123.456_7, 123_456_789],
    [1_795_254_963, second, 0],
    [1_795_254_963.5, second + 500, 500_000_000],
    [1_795_254_963_123, second + 123, 123_000_000],
    [1_795_254_963_123_456, second + 123.456, 123_456_000],
    [1_795_254_963_123_456_789n, second + 123.456_7, 123_456_789],
    [{ seconds: 1_795_254_963, nanos: 5 }, second + 0.000_005, 5],
    [{ seconds: '1795254963' }, second, 0],
  ])('%p is read to the nanosecond', (value, millis, nanos) => {
    expect(timeOf(value)).toBeCloseTo(millis, 2)
    expect(nanosOf(value)).toBe(BigInt(second) * 1_000_000n + BigInt(nanos))
  })

  test('a text without a zone is local time', () => {
    expect(timeOf('2026-11-21 09:56:03')).toBe(localSecond)
    expect(timeOf('2026-11-21T09:56:03.250')).toBe(localSecond + 250)
    expect(nanosOf('2026-11-21T09:56:03.250')).toBe(BigInt(localSecond + 250) * 1_000_000n)
  })

  test.each([
    'soon',
    '',
    '2026-13-41T09:56:03Z',
    '2026-11-21T09:56:03Zulu',
    'order 5',
    '9'.repeat(40),
    '-9'.repeat(30),
    1e300,
    NaN,
    Infinity,
    null,
    undefined,
    true,
    [],
    {},
    { seconds: 'x' },
    { seconds: 1e300 },
    10n ** 40n,
  ])('%p is not a time', (value) => {
    expect(timeOf(value)).toBeUndefined()
    expect(nanosOf(value)).toBeUndefined()
  })

  test('every time that Date writes is read, whatever was read before', () => {
    const dates = fc.date({
      min: new Date(-62_167_219_200_000),
      max: new Date(253_402_300_799_999),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(dates, fc.integer({ min: -2_000, max: 2_000 }), (date, distance) => {
        fc.pre(date.getTime() + distance >= -62_167_219_200_000 && date.getTime() + distance <= 253_402_300_799_999)
        for (const one of [date, new Date(date.getTime() + distance), date]) {
          expect(timeOf(one.toISOString())).toBe(one.getTime())
          expect(nanosOf(one.toISOString())).toBe(BigInt(one.getTime()) * 1_000_000n)
        }
      }),
    )
  })
})
