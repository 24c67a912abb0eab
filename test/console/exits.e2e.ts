import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { dieWith, expectedEnd, inParallel, ways, type Death, type Sink, type Way } from '../support/processes/exits.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const RECORDS = 2_000
const sinks: readonly Sink[] = ['late pipe', 'late socket', 'file on stdout', 'file']
const lines = Array.from({ length: RECORDS }, (_, seq) => `${seq} ${'x'.repeat(240)}\n`).join('')
const common = { delayMillis: 0, signalExit: 'not', records: RECORDS } as const

let directory: TemporaryDirectory
const deaths = new Map<string, Death>()

beforeAll(async () => {
  directory = temporaryDirectory()
  const plans = [...sinks, 'deaf pipe' as const].flatMap((sink) => ways.map((way) => ({ sink, way })))
  await inParallel(
    4,
    plans.map(({ sink, way }, index) => async () => {
      const exitTimeoutMillis = sink === 'deaf pipe' ? 300 : 2_000
      const program = { ...common, way, exitTimeoutMillis }
      deaths.set(`${sink} ${way}`, await dieWith(sink, program, directory.path(`sink-${index}`), 'console'))
    }),
  )
}, 120_000)
afterAll(() => directory.remove())

describe.each(sinks)('a captured console that prints to a %s', (sink) => {
  test.each<Way>(ways)('has printed all when the process ends by %s, which it does as without', (way) => {
    const { code, signal, output } = deaths.get(`${sink} ${way}`)!
    expect({ code, signal }).toEqual(expectedEnd(way))
    expect(output).toBe(lines)
  })
})

test.each<Way>(ways)(
  'a pipe that nobody reads does not keep the process from ending by %s, and what is lost is told',
  (way) => {
    const { code, signal, output, stderr } = deaths.get(`deaf pipe ${way}`)!
    expect({ code, signal }).toEqual(expectedEnd(way))
    expect(lines.startsWith(output)).toBe(true)
    const lost = Number(/SLUICE_RECORDS_LOST: (\d+) records could not be written to fd:1/.exec(stderr)?.[1])
    expect(lost).toBe(RECORDS - output.split('\n').length + 1)
  },
)
