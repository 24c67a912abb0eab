import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  runExitProgram,
  expectedExit,
  inParallel,
  exitCauses,
  type ExitResult,
  type OutputKind,
  type ExitCause,
} from '../support/processes/exits.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const RECORDS = 2_000
const sinks: readonly OutputKind[] = ['late pipe', 'late socket', 'file on stdout', 'file']
const lines = Array.from({ length: RECORDS }, (_, seq) => `${seq} ${'x'.repeat(240)}\n`).join('')
const common = { delayMillis: 0, signalExit: 'not', records: RECORDS } as const

let directory: TemporaryDirectory
const deaths = new Map<string, ExitResult>()

beforeAll(async () => {
  directory = temporaryDirectory()
  const plans = [...sinks, 'unread pipe' as const].flatMap((sink) => exitCauses.map((way) => ({ sink, way })))
  await inParallel(
    4,
    plans.map(({ sink, way }, index) => async () => {
      const exitTimeoutMillis = sink === 'unread pipe' ? 300 : 2_000
      const program = { ...common, cause: way, exitTimeoutMillis }
      deaths.set(`${sink} ${way}`, await runExitProgram(sink, program, directory.path(`sink-${index}`), 'console'))
    }),
  )
}, 120_000)
afterAll(() => directory.remove())

describe.each(sinks)('a captured console that prints to a %s', (sink) => {
  test.each<ExitCause>(exitCauses)(
    'a captured console writes every line, and does not change the exit status, when the process ends by %s',
    (way) => {
      const { code, signal, output } = deaths.get(`${sink} ${way}`)!
      expect({ code, signal }).toEqual(expectedExit(way))
      expect(output).toBe(lines)
    },
  )
})

test.each<ExitCause>(exitCauses)(
  'a process whose pipe is not read still ends by %s, and reports the number of lost records',
  (way) => {
    const { code, signal, output, stderr } = deaths.get(`unread pipe ${way}`)!
    expect({ code, signal }).toEqual(expectedExit(way))
    expect(lines.startsWith(output)).toBe(true)
    const lost = Number(/SLUICE_RECORDS_LOST: (\d+) records could not be written to fd:1/.exec(stderr)?.[1])
    expect(lost).toBe(RECORDS - output.split('\n').length + 1)
  },
)
