import { describe, expect, test } from '@jest/globals'
import { importOf, runModule } from '../../support/processes/child.ts'

/** Asks each minute in a time zone, from one time to another, and says when a period was over. */
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

describe('a file is for', () => {
  test.each([
    [
      'a day where summer time ends: 25 hours',
      'Europe/Berlin',
      'daily',
      '2026-10-24T10:00Z',
      '2026-10-26T10:00Z',
      ['10-24T22:00', '10-25T23:00'],
    ],
    [
      'a day where summer time begins: 23 hours',
      'Europe/Berlin',
      'daily',
      '2026-03-28T10:00Z',
      '2026-03-30T10:00Z',
      ['03-28T23:00', '03-29T22:00'],
    ],
    [
      'a day that has no midnight',
      'America/Santiago',
      'daily',
      '2026-09-05T10:00Z',
      '2026-09-07T10:00Z',
      ['09-06T04:00', '09-07T03:00'],
    ],
    [
      'an hour, also one that comes twice',
      'Europe/Berlin',
      'hourly',
      '2026-10-24T23:30Z',
      '2026-10-25T02:30Z',
      ['10-25T00:00', '10-25T01:00', '10-25T02:00'],
    ],
    [
      'an hour that the clock shows',
      'Asia/Kolkata',
      'hourly',
      '2026-10-24T00:00Z',
      '2026-10-24T02:00Z',
      ['10-24T00:30', '10-24T01:30'],
    ],
    [
      'hours where summer time is half of one',
      'Australia/Lord_Howe',
      'hourly',
      '2026-10-03T14:10Z',
      '2026-10-03T17:40Z',
      ['10-03T14:30', '10-03T15:30', '10-03T16:00', '10-03T17:00'],
    ],
    [
      'a quarter of an hour',
      'Asia/Kolkata',
      900_000,
      '2026-10-24T00:10Z',
      '2026-10-24T00:50Z',
      ['10-24T00:15', '10-24T00:30', '10-24T00:45'],
    ],
  ])('%s', async (_what, zone, interval, from, to, expected) => {
    expect(await bounds(zone, interval, from, to)).toEqual(expected)
  })
})
