import { describe, expect, test } from '@jest/globals'
import { importOf, runModule } from '../../support/processes/child.ts'

/** Checks a period each minute between two times in a time zone, and returns when it ended. */
async function bounds(zone: string, interval: string | number, from: string, to: string): Promise<string[]> {
  const text = `${importOf('{ RotationPeriod }', 'src/exporters/rotation/rotation-period.ts')}
    const period = new RotationPeriod(${JSON.stringify(interval)})
    const from = Date.parse(${JSON.stringify(from)})
    period.begin(from)
    for (let at = from; at <= Date.parse(${JSON.stringify(to)}); at += 60_000) {
      if (!period.isOver(at)) continue
      console.log(new Date(at).toISOString().slice(5, 16))
      period.begin(at)
    }`
  const { stdout, stderr } = await runModule(text, { env: { TZ: zone } })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe('rotation periods', () => {
  test.each([
    [
      '25 hours on the day when daylight saving time ends',
      'Europe/Berlin',
      'daily',
      '2026-10-24T10:00Z',
      '2026-10-26T10:00Z',
      ['10-24T22:00', '10-25T23:00'],
    ],
    [
      '23 hours on the day when daylight saving time begins',
      'Europe/Berlin',
      'daily',
      '2026-03-28T10:00Z',
      '2026-03-30T10:00Z',
      ['03-28T23:00', '03-29T22:00'],
    ],
    [
      'until the first hour of a day without midnight',
      'America/Santiago',
      'daily',
      '2026-09-05T10:00Z',
      '2026-09-07T10:00Z',
      ['09-06T04:00', '09-07T03:00'],
    ],
    [
      'one hour, even if the hour occurs twice',
      'Europe/Berlin',
      'hourly',
      '2026-10-24T23:30Z',
      '2026-10-25T02:30Z',
      ['10-25T00:00', '10-25T01:00', '10-25T02:00'],
    ],
    [
      'one hour of local time',
      'Asia/Kolkata',
      'hourly',
      '2026-10-24T00:00Z',
      '2026-10-24T02:00Z',
      ['10-24T00:30', '10-24T01:30'],
    ],
    [
      'hours of local time when daylight saving time is half an hour',
      'Australia/Lord_Howe',
      'hourly',
      '2026-10-03T14:10Z',
      '2026-10-03T17:40Z',
      ['10-03T14:30', '10-03T15:30', '10-03T16:00', '10-03T17:00'],
    ],
    [
      'a quarter of an hour for 900,000 ms',
      'Asia/Kolkata',
      900_000,
      '2026-10-24T00:10Z',
      '2026-10-24T00:50Z',
      ['10-24T00:15', '10-24T00:30', '10-24T00:45'],
    ],
  ])('a rotation period lasts %s', async (_what, zone, interval, from, to, expected) => {
    expect(await bounds(zone, interval, from, to)).toEqual(expected)
  })
})
