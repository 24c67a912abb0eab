import { expect, it } from '@jest/globals'
import { runProgram } from '../cli/run-program.ts'

it('reads local times next to a change of the zone at one minute past midnight', async () => {
  const times = ['2010-11-06 23:14:30', '2010-11-07 00:00:30', '2010-11-07 00:02:30', '2010-11-07 00:14:30']
  const input = times.map((time) => `${time} INFO started\n`).join('')
  const env = { TZ: 'America/St_Johns' }
  const inUtc = await runProgram(['-o', 'line', '--time', 'utc'], { input, env })
  // The clocks went back from 00:01 to 23:01, and a time that occurred twice is the earlier one.
  expect(timesOf(inUtc.stdout)).toEqual([
    '2010-11-07 01:44:30',
    '2010-11-07 02:30:30',
    '2010-11-07 03:32:30',
    '2010-11-07 03:44:30',
  ])
})

it('shows the date of each record on both sides of midnight', async () => {
  const times = ['2026-02-28 23:59:59', '2026-03-01 00:00:00', '2026-02-28 23:59:58']
  const input = times.map((time) => `${time} INFO started\n`).join('')
  const { stdout } = await runProgram(['-o', 'line'], { input, env: { TZ: 'Asia/Kathmandu' } })
  expect(timesOf(stdout)).toEqual(times)
})

function timesOf(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, 19))
}
