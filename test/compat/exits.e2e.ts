import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  runExitProgram,
  expectedExit,
  inParallel,
  type ExitResult,
  type OutputKind,
  type ExitCause,
} from '../support/processes/exits.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../support/files/pipes.ts'

const common = { delayMillis: 0, signalExit: 'not', records: 2_000, exitTimeoutMillis: 2_000 } as const
const all = Array.from({ length: common.records }, (_, seq) => seq)
const causes: readonly ExitCause[] = ['end', 'exit', 'throw', 'SIGTERM']
const standard: readonly OutputKind[] = ['late pipe', 'late socket', 'file on stdout']
const both: readonly OutputKind[] = ['late pipe', 'file']

/** The loggers of test/support/processes/exit-programs/compat.ts, the kinds of output of each, and how its process ends. */
const setups: readonly (readonly [
  title: string,
  api: string,
  kinds: readonly OutputKind[],
  causes: readonly ExitCause[],
])[] = [
  ['bunyan', 'bunyan', both, causes],
  ['bunyan with a rotating file', 'bunyan rotating', ['file'], causes],
  ['bole', 'bole', ['late pipe'], causes],
  // At any other exit Node drops console output that is not yet written to a pipe.
  ['sluice/core with its console exporter', 'core', standard, ['end']],
  ['pino', 'pino', both, causes],
  ['pino with minLength', 'pino held back', ['file'], causes],
  ["pino's transport before its thread has started", 'pino transport', ['file'], causes],
  ['winston', 'winston', both, causes],
  ['winston with process.stdout as a stream', 'winston stream', standard, causes],
  ['winston with sluiceTransport', 'winston records', both, causes],
  ['the original winston with sluiceTransport', 'winston itself', both, causes],
  ['winston after its finish event', 'winston ended', both, ['exit']],
  ['winston with sluiceTransport after its finish event', 'winston records ended', both, ['exit']],
  ['the original winston with sluiceTransport after its finish event', 'winston itself ended', both, ['exit']],
]
const plans = setups.flatMap(([, api, kinds, exits]) =>
  kinds.flatMap((kind) => exits.map((cause) => ({ api, kind, cause }))),
)

let directory: TemporaryDirectory
const results = new Map<string, ExitResult>()

beforeAll(async () => {
  directory = temporaryDirectory()
  await inParallel(
    3,
    plans.map(({ api, kind, cause }, index) => async () => {
      const program = { ...common, api, cause }
      results.set(
        `${api} ${kind} ${cause}`,
        await runExitProgram(kind, program, directory.path(`output-${index}`), 'compat'),
      )
    }),
  )
}, 120_000)
afterAll(() => directory.remove())

/** Returns the sequence numbers of the lines of any logger. Throws if a line is incomplete. */
function sequenceOf(output: string): number[] {
  return output
    .trimEnd()
    .split('\n')
    .map((text) => {
      const line = JSON.parse(text) as { seq?: number; attributes?: { seq: number } }
      return line.seq ?? line.attributes!.seq
    })
}

describe.each(setups)('%s', (title, api, kinds, exits) => {
  for (const kind of kinds) {
    test.each<ExitCause>(exits)(
      `${title} writes every line once, in order, to a ${kind} when the process ends by %s`,
      (cause) => {
        const { code, signal, output, stderr } = results.get(`${api} ${kind} ${cause}`)!
        expect({ code, signal, threw: stderr.includes('Error: mine') }).toEqual({
          ...expectedExit(cause),
          threw: cause === 'throw',
        })
        expect(stderr).not.toContain('SLUICE_')
        expect(sequenceOf(output)).toEqual(all)
      },
    )
  }
})
