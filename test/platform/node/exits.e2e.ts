import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  runExitProgram,
  expectedExit,
  inParallel,
  exitCauses,
  type ExitResult,
  type ExitProgramOptions,
  type OutputKind,
  type ExitCause,
} from '../../support/processes/exits.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

const RECORDS = 2_000
const GRACE_MILLIS = 500

interface Case {
  readonly title: string
  readonly sink: OutputKind
  readonly delayMillis?: number
  readonly perTurn?: number
  readonly exitTimeoutMillis?: number
}

const losesNothing: readonly Case[] = [
  { title: 'a pipe whose reader starts late', sink: 'late pipe' },
  { title: 'a socket whose reader starts late', sink: 'late socket' },
  { title: 'a file on the standard output', sink: 'file on stdout' },
  { title: 'a file that was opened in the same turn', sink: 'file' },
  { title: 'a file that was opened 50 ms ago', sink: 'file', delayMillis: 50 },
  { title: 'a file to which each turn writes one record', sink: 'file', perTurn: 1 },
  { title: 'a pipe to which each turn writes one record', sink: 'late pipe', perTurn: 1 },
]
const unread: Case = { title: 'a pipe that is not read', sink: 'unread pipe', exitTimeoutMillis: 500 }
const full: Case = { title: 'a full device', sink: '/dev/full' }
const loads: readonly ExitProgramOptions['signalExit'][] = ['not', 'before', 'after']

let directory: TemporaryDirectory
const results = new Map<string, ExitResult>()

beforeAll(async () => {
  directory = temporaryDirectory()
  const plans = [...losesNothing, unread, full].flatMap((item) =>
    exitCauses.flatMap((way) => loads.filter((load) => isRun(item, way, load)).map((load) => ({ item, way, load }))),
  )
  await inParallel(
    4,
    plans.map(({ item, way, load }, index) => async () => {
      const { sink, delayMillis = 0, exitTimeoutMillis = 2_000, perTurn } = item
      const paced = perTurn === undefined ? {} : { perTurn }
      const program = { cause: way, delayMillis, signalExit: load, records: RECORDS, exitTimeoutMillis, ...paced }
      const run = (attempt: number) => runExitProgram(sink, program, directory.path(`sink-${index}-${attempt}`))
      results.set(keyOf(item, way, load), await fastest(run, limitOf(item)))
    }),
  )
}, 180_000)
afterAll(() => directory.remove())

/** Returns the time limit for the exit of a process, in ms. Infinity: not tested. */
function limitOf(item: Case): number {
  return item === unread ? unread.exitTimeoutMillis! + GRACE_MILLIS : item === full ? GRACE_MILLIS : Infinity
}

/** Runs up to three times: a busy machine makes a run longer, never shorter, so one run must meet the limit. */
async function fastest(run: (attempt: number) => Promise<ExitResult>, limit: number): Promise<ExitResult> {
  for (let attempt = 1; ; attempt++) {
    const result = await run(attempt)
    if (result.exitMillis < limit || attempt === 3) return result
  }
}

/** signal-exit listens to signals and wraps process.emit: the order of loading matters for signals only. */
function isRun(item: Case, way: ExitCause, load: ExitProgramOptions['signalExit']): boolean {
  return load !== 'before' || (way === 'SIGTERM' && item !== full)
}

/** With another signal listener the process may continue, so a batch that was written in part counts as lost. */
function mayContinue(way: ExitCause, load: ExitProgramOptions['signalExit']): boolean {
  return way.startsWith('SIG') && load !== 'not'
}

function keyOf(item: Case, way: ExitCause, load: ExitProgramOptions['signalExit']): string {
  return `${item.title} ${way} ${load}`
}

function resultOf(item: Case, way: ExitCause, load: ExitProgramOptions['signalExit']): ExitResult {
  return results.get(keyOf(item, way, load))!
}

function sequenceOf(lines: readonly string[]): number[] {
  return lines.map((line) => (JSON.parse(line) as { attributes: { seq: number } }).attributes.seq)
}

const everyNumber = Array.from({ length: RECORDS }, (_, seq) => seq)

describe.each(loads)('with signal-exit loaded: %s', (load) => {
  for (const item of [...losesNothing, unread, full]) {
    for (const way of exitCauses.filter((name) => isRun(item, name, load))) {
      test(`the exit code or signal is unchanged with ${item.title} and ${way}`, () => {
        const { code, signal, stderr } = resultOf(item, way, load)
        expect({ code, signal }).toEqual(expectedExit(way))
        expect(stderr.includes('Error: mine')).toBe(way === 'throw' || way === 'rejection')
      })
    }
  }

  for (const item of losesNothing) {
    for (const way of exitCauses.filter((name) => isRun(item, name, load))) {
      // Requirements: D15
      // Fault rows: 15, 16, 17
      test(`every record is written once and in order with ${item.title} and ${way}`, () => {
        const { output } = resultOf(item, way, load)
        expect(output.endsWith('\n')).toBe(true)
        expect(sequenceOf(output.trimEnd().split('\n'))).toEqual(everyNumber)
      })
    }
  }

  for (const way of exitCauses.filter((name) => isRun(unread, name, load))) {
    // Fault rows: 11
    test(`the process exits in time and reports the lost records with ${unread.title} and ${way}`, () => {
      const { exitMillis, output, stderr } = resultOf(unread, way, load)
      expect(exitMillis).toBeLessThan(limitOf(unread))
      const written = sequenceOf(output.split('\n').slice(0, -1)).length
      expect(lostIn(stderr)).toBeGreaterThanOrEqual(RECORDS - written)
      expect(lostIn(stderr)).toBeLessThanOrEqual(mayContinue(way, load) ? RECORDS : RECORDS - written)
    })
  }

  for (const way of exitCauses.filter((name) => isRun(full, name, load))) {
    // Fault rows: 7
    test(`the process exits immediately and reports the lost records with ${full.title} and ${way}`, () => {
      const { exitMillis, stderr } = resultOf(full, way, load)
      expect(exitMillis).toBeLessThan(limitOf(full))
      expect(lostIn(stderr)).toBe(RECORDS)
    })
  }
})

/** Returns the last reported count, which is complete: a signal may report a count before the exit does. */
function lostIn(stderr: string): number {
  return Number([...stderr.matchAll(/(\d+) records/g)].at(-1)?.[1])
}
