import { expect, it } from '@jest/globals'
import { timeTexts } from '../../../src/cli/stats/time-texts.ts'

const start = Date.UTC(2026, 10, 21, 9, 56, 3)
const day = 86_400_000

it.each([
  { span: 1_000, interval: 100, texts: ['09:56:03.000', '09:56:03.100'] },
  { span: 9_000, interval: 1_500, texts: ['09:56:03.000', '09:56:04.500'] },
  { span: 9_000, interval: 1_000, texts: ['09:56:03', '09:56:04'] },
  { span: 2 * day, interval: 60_000, texts: ['11-21 09:56', '11-21 09:57'] },
  { span: 2 * day, interval: 30_000, texts: ['11-21 09:56:03', '11-21 09:56:33'] },
  { span: 2 * day, interval: 500, texts: ['11-21 09:56:03.000', '11-21 09:56:03.500'] },
  { span: 400 * day, interval: 365 * day, texts: ['2026-11-21 09:56', '2027-11-21 09:56'] },
])('names the starts of intervals so that they differ: %j', ({ span, interval, texts }) => {
  const times = timeTexts('utc', start, start + span)
  expect([times.start(start, interval), times.start(start + interval, interval)]).toEqual(texts)
})
