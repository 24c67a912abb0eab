import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  dieWith,
  expectedEnd,
  inParallel,
  ways,
  type Death,
  type ExitProgram,
  type Sink,
  type Way,
} from '../../support/processes/exits.ts'
import { temporaryDirectory, type TemporaryDirectory } from '../../support/files/pipes.ts'

const RECORDS = 2_000
const GRACE_MILLIS = 500

interface Case {
  readonly title: string
  readonly sink: Sink
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
const deaf: Case = { title: 'a pipe that nobody reads', sink: 'deaf pipe', exitTimeoutMillis: 500 }
const full: Case = { title: 'a full device', sink: '/dev/full' }
const loads: readonly ExitProgram['signalExit'][] = ['not', 'before', 'after']

let directory: TemporaryDirectory
const deaths = new Map<string, Death>()

beforeAll(async () => {
  directory = temporaryDirectory()
  const plans = [...losesNothing, deaf, full].flatMap((item) =>
    ways.flatMap((way) => loads.filter((load) => isRun(item, way, load)).map((load) => ({ item, way, load }))),
  )
  await inParallel(
    4,
    plans.map(({ item, way, load }, index) => async () => {
      const { sink, delayMillis = 0, exitTimeoutMillis = 2_000, perTurn } = item
      const paced = perTurn === undefined ? {} : { perTurn }
      const program = { way, delayMillis, signalExit: load, records: RECORDS, exitTimeoutMillis, ...paced }
      const run = (attempt: number) => dieWith(sink, program, directory.path(`sink-${index}-${attempt}`))
      deaths.set(keyOf(item, way, load), await soonest(run, limitOf(item)))
    }),
  )
}, 180_000)
afterAll(() => directory.remove())

/** How long a process may take to end, where that is asked, ms. */
function limitOf(item: Case): number {
  return item === deaf ? deaf.exitTimeoutMillis! + GRACE_MILLIS : item === full ? GRACE_MILLIS : Infinity
}

/** A machine that is busy elsewhere makes a run longer, never shorter: the limit must be kept by one run of three. */
async function soonest(run: (attempt: number) => Promise<Death>, limit: number): Promise<Death> {
  for (let attempt = 1; ; attempt++) {
    const death = await run(attempt)
    if (death.held < limit || attempt === 3) return death
  }
}

/** signal-exit listens to signals and wraps process.emit: the order of loading matters for signals only. */
function isRun(item: Case, way: Way, load: ExitProgram['signalExit']): boolean {
  return load !== 'before' || (way === 'SIGTERM' && item !== full)
}

/** Where somebody else listens to a signal nothing is given up, and a batch that was written in part still counts whole. */
function mayGoOn(way: Way, load: ExitProgram['signalExit']): boolean {
  return way.startsWith('SIG') && load !== 'not'
}

function keyOf(item: Case, way: Way, load: ExitProgram['signalExit']): string {
  return `${item.title} ${way} ${load}`
}

function deathOf(item: Case, way: Way, load: ExitProgram['signalExit']): Death {
  return deaths.get(keyOf(item, way, load))!
}

function sequenceOf(lines: readonly string[]): number[] {
  return lines.map((line) => (JSON.parse(line) as { attributes: { seq: number } }).attributes.seq)
}

const everyNumber = Array.from({ length: RECORDS }, (_, seq) => seq)

describe.each(loads)('with signal-exit loaded: %s', (load) => {
  for (const item of [...losesNothing, deaf, full]) {
    for (const way of ways.filter((name) => isRun(item, name, load))) {
      test(`${item.title} and ${way}: the code or signal stays`, () => {
        const { code, signal, stderr } = deathOf(item, way, load)
        expect({ code, signal }).toEqual(expectedEnd(way))
        expect(stderr.includes('Error: mine')).toBe(way === 'throw' || way === 'rejection')
      })
    }
  }

  for (const item of losesNothing) {
    for (const way of ways.filter((name) => isRun(item, name, load))) {
      test(`${item.title} and ${way}: every record is written once, in order (D15, rows 15, 16 and 17)`, () => {
        const { output } = deathOf(item, way, load)
        expect(output.endsWith('\n')).toBe(true)
        expect(sequenceOf(output.trimEnd().split('\n'))).toEqual(everyNumber)
      })
    }
  }

  for (const way of ways.filter((name) => isRun(deaf, name, load))) {
    test(`${deaf.title} and ${way}: the process ends in time, and stderr says how many records are lost (row 11)`, () => {
      const { held, output, stderr } = deathOf(deaf, way, load)
      expect(held).toBeLessThan(limitOf(deaf))
      const written = sequenceOf(output.split('\n').slice(0, -1)).length
      expect(lostIn(stderr)).toBeGreaterThanOrEqual(RECORDS - written)
      expect(lostIn(stderr)).toBeLessThanOrEqual(mayGoOn(way, load) ? RECORDS : RECORDS - written)
    })
  }

  for (const way of ways.filter((name) => isRun(full, name, load))) {
    test(`${full.title} and ${way}: the process ends at once, and stderr says how many records are lost (row 7)`, () => {
      const { held, stderr } = deathOf(full, way, load)
      expect(held).toBeLessThan(limitOf(full))
      expect(lostIn(stderr)).toBe(RECORDS)
    })
  }
})

/** The last count is the whole one: a signal may tell before the exit does. */
function lostIn(stderr: string): number {
  return Number([...stderr.matchAll(/(\d+) records/g)].at(-1)?.[1])
}
