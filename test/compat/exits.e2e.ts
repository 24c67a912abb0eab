import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { dieWith, expectedEnd, inParallel, type Death, type Sink, type Way } from '../support/processes/exits.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const common = { delayMillis: 0, signalExit: 'not', records: 2_000, exitTimeoutMillis: 2_000 } as const
const all = Array.from({ length: common.records }, (_, seq) => seq)
const ways: readonly Way[] = ['end', 'exit', 'throw', 'SIGTERM']
const standard: readonly Sink[] = ['late pipe', 'late socket', 'file on stdout']
const both: readonly Sink[] = ['late pipe', 'file']

/** The fronts of test/support/processes/exit-programs/front.ts, where each writes, and how it dies. */
const fronts: readonly (readonly [title: string, front: string, sinks: readonly Sink[], ways: readonly Way[]])[] = [
  ['bunyan', 'bunyan', both, ways],
  ['bunyan with a rotating file', 'bunyan rotating', ['file'], ways],
  ['bole', 'bole', ['late pipe'], ways],
  // At any other end Node drops what console has not written to a pipe yet.
  ['sluice/core with its console exporter', 'core', standard, ['end']],
  ['pino', 'pino', both, ways],
  ['pino that holds back for larger writes', 'pino held back', ['file'], ways],
  ["pino's transport, whose thread has not begun yet", 'pino transport', ['file'], ways],
  ['winston', 'winston', both, ways],
  ['winston with process.stdout as a stream', 'winston stream', standard, ways],
  ['winston with sluiceTransport', 'winston records', both, ways],
  ['winston itself with sluiceTransport', 'winston itself', both, ways],
  ['winston, once it has said that it is finished', 'winston ended', both, ['exit']],
  ['winston with sluiceTransport, once it has said so', 'winston records ended', both, ['exit']],
  ['winston itself with sluiceTransport, once it has said so', 'winston itself ended', both, ['exit']],
]
const plans = fronts.flatMap(([, front, sinks, deaths]) =>
  sinks.flatMap((sink) => deaths.map((way) => ({ front, sink, way }))),
)

let directory: TemporaryDirectory
const deaths = new Map<string, Death>()

beforeAll(async () => {
  directory = temporaryDirectory()
  await inParallel(
    3,
    plans.map(({ front, sink, way }, index) => async () => {
      const program = { ...common, front, way }
      deaths.set(`${front} ${sink} ${way}`, await dieWith(sink, program, directory.path(`sink-${index}`), 'front'))
    }),
  )
}, 120_000)
afterAll(() => directory.remove())

/** The numbers that the lines of any front say; throws where a line is torn. */
function sequenceOf(output: string): number[] {
  return output
    .trimEnd()
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as { seq?: number; attributes?: { seq: number } }
      return line.seq ?? line.attributes!.seq
    })
}

describe.each(fronts)('%s', (_, front, sinks, deadly) => {
  for (const sink of sinks) {
    test.each<Way>(deadly)(`has written every line once, in order, to a ${sink} when the process ends by %s`, (way) => {
      const { code, signal, output, stderr } = deaths.get(`${front} ${sink} ${way}`)!
      expect({ code, signal, threw: stderr.includes('Error: mine') }).toEqual({
        ...expectedEnd(way),
        threw: way === 'throw',
      })
      expect(stderr).not.toContain('SLUICE_')
      expect(sequenceOf(output)).toEqual(all)
    })
  }
})
