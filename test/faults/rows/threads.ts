import { readFileSync } from 'node:fs'
import { runCrowd, type Crowd } from '../harness/crowd.ts'
import { progressOf, type CrowdPlan, type Sudden } from '../harness/crowd-plan.ts'
import { disagreements, readSink, tally, type Found } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import type { Row, RowBench } from './row.ts'

const common = { kind: 'threads', members: 4, records: 2_000, perTurn: 50 } as const
const codes = { end: 0, exit: 3, throw: 1, reject: 1 } as const

/** Threads that end in all the ways in which they are asked to. */
export const threadsEnd: Row = {
  row: 20,
  fault: 'threads end while records are queued',
  how: 'four worker threads log to one file and end: by themselves, `process.exit`, an uncaught error, a rejection',
  async run(bench) {
    const wrong = await Promise.all(
      (['end', 'exit', 'throw', 'reject'] as const).map(async (way) => {
        const { crowd, found } = await toFile(bench, { ...common, way }, way)
        const others = crowd.ended.filter(({ code }) => code !== codes[way])
        return [
          ...disagreements(found, crowd.ledgers),
          ...(crowd.ledgers.size === 4 ? [] : [`${crowd.ledgers.size} of 4 ledgers were told`]),
          ...others.map(({ member, code }) => `${member} ended with ${code}`),
          ...missing(crowd, found, common.records),
        ].map((text) => `${way}: ${text}`)
      }),
    )
    return wrong.flat()
  },
}

/** A thread that is terminated runs nothing any more. */
export const threadsTerminated: Row = {
  row: 20,
  fault: 'threads are terminated while they log',
  how: '`worker.terminate()` in the middle of a turn, to a file and to a pipe that nobody reads',
  run: (bench) => endsSuddenly(bench, 'terminate'),
}

/** The end of a process ends its threads in the same way. */
export const threadsOfEndedProcess: Row = {
  row: 20,
  fault: 'the process ends while its threads log',
  how: '`process.exit` in the main thread, to a file and to a pipe that nobody reads',
  run: (bench) => endsSuddenly(bench, 'exit of all'),
}

/** A thread holds up its own end only, and not for longer than it may. */
export const threadsExitStalled: Row = {
  row: 20,
  fault: 'threads exit and nobody reads their pipe',
  how: '`process.exit` in two worker threads, with 500 ms to write what waits',
  async run(bench) {
    const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 0 })
    const plan = { ...common, members: 2, way: 'exit', ...identityOf(bench), sink: { to: 'stdout' } } as const
    const start = performance.now()
    const crowd = await runCrowd({ ...plan, options: { logger: { exitTimeoutMillis: 500 } } }, { stdout: pipe.fd })
    const millis = performance.now() - start
    const found = readSink(pipe.end(), bench.run)
    return [
      ...disagreements(found, crowd.ledgers),
      ...(crowd.ledgers.size === 2 ? [] : [`${crowd.ledgers.size} of 2 ledgers were told`]),
      ...crowd.ended.filter(({ code }) => code !== 3).map(({ member, code }) => `${member} ended with ${code}`),
      ...(crowd.stderr.includes('SLUICE_RECORDS_LOST') ? [] : ['the loss was not told']),
      ...(millis < 5_000 ? [] : [`it took ${Math.round(millis)} ms`]),
    ]
  },
}

/** What a thread took must be given back when it is gone: `groups` of so many, one after the other. */
export function threadsLeak(members: number, groups: number): Row {
  const rounds = groups / 2
  return {
    row: 20,
    fault: `${members * groups} threads come and go`,
    how: `groups of ${members} worker threads with a file, each second one terminated; descriptors and listeners are counted`,
    async run(bench) {
      const ways = ['end', 'terminate'] as const
      const crowds = await Promise.all(
        ways.map((way) => toFile(bench, { ...common, way, members, rounds, records: 100 }, `leak-${way}`)),
      )
      return crowds.flatMap(({ crowd }) => leaks(crowd, members * rounds))
    },
  }
}

/** Threads have descriptor 1 in common. */
export const threadsOnOnePipe: Row = {
  row: 20,
  fault: 'threads share a pipe with a slow reader',
  how: 'eight worker threads write to descriptor 1, a pipe of which 16 KiB are read each ms',
  async run(bench) {
    const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 16_384, everyMillis: 1 })
    const plan = { ...common, members: 8, records: 1_000, way: 'end' } as const
    const crowd = await runCrowd({ ...plan, ...identityOf(bench), sink: { to: 'stdout' } }, { stdout: pipe.fd })
    const found = readSink(pipe.end(), bench.run)
    return [...disagreements(found, crowd.ledgers), ...missing(crowd, found, plan.records)]
  },
}

async function endsSuddenly(bench: RowBench, way: Sudden): Promise<string[]> {
  const plan = { ...common, way }
  let file = await toFile(bench, plan, 'file')
  // A disk that is slow at that very moment has all threads write in the background, and then more may wait than a turn has.
  for (let again = 1; again <= 3 && leastLost(file.crowd, file.found) > common.perTurn; again++)
    file = await toFile(bench, plan, `file-${again}`)
  const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 0 })
  const stalled = await runCrowd({ ...plan, ...identityOf(bench), sink: { to: 'stdout' } }, { stdout: pipe.fd })
  const read = readSink(wholeLines(pipe.end()), bench.run)
  return [
    ...lostMore(file.crowd, file.found, common.perTurn).map((text) => `file: ${text}`),
    ...lostMore(stalled, read, Infinity).map((text) => `pipe: ${text}`),
    ...[file.found, read].flatMap(({ torn }) => torn.map((line) => `torn: ${line.slice(0, 200)}`)),
  ]
}

function identityOf({ subject, run }: RowBench): Pick<CrowdPlan, 'subject' | 'run'> {
  return { subject, run }
}

async function toFile(
  bench: RowBench,
  plan: Omit<CrowdPlan, 'subject' | 'run' | 'sink'>,
  name: string,
): Promise<{ crowd: Crowd; found: Found }> {
  const path = bench.path(name)
  const crowd = await runCrowd({ ...plan, ...identityOf(bench), sink: { to: 'file', path } })
  return { crowd, found: readSink(readFileSync(path, 'latin1'), bench.run) }
}

/** The first group leaves what is made once. */
function leaks({ open, ended }: Crowd, members: number): string[] {
  const [, first, last] = open
  const wrong = ended.length === members ? [] : [`${ended.length} of ${members} threads ended`]
  for (const what of ['descriptors', 'listeners'] as const) {
    if (last![what] > first![what]) wrong.push(`${last![what] - first![what]} ${what} leak`)
  }
  return wrong
}

function missing({ ended }: Crowd, found: Found, records: number): string[] {
  return ended.flatMap(({ member }) => {
    const { unique } = tally(found, member)
    return unique === records ? [] : [`${member}: ${records - unique} of ${records} are missing`]
  })
}

/** What was called written must be there, and of the rest no more may be missing than what `perTurn` allows. */
function lostMore({ ended }: Pick<Crowd, 'ended'>, found: Found, perTurn: number): string[] {
  if (ended.length !== common.members) return [`${ended.length} of ${common.members} threads ended`]
  const wrong = ended.flatMap(({ member, progress }) => {
    const { unique, disorder, duplicates } = tally(found, member)
    const written = progress![progressOf.written]!
    return [
      ...(unique >= written ? [] : [`${member}: ${unique} are there of ${written} that were called written`]),
      ...(disorder + duplicates === 0 ? [] : [`${member}: ${disorder} out of order, ${duplicates} doubled`]),
    ]
  })
  const least = leastLost({ ended }, found)
  return least <= perTurn ? wrong : [...wrong, `each thread lost ${least} or more, and a turn has ${perTurn}`]
}

/** How many are missing of the thread that has lost the fewest. */
function leastLost({ ended }: Pick<Crowd, 'ended'>, found: Found): number {
  return Math.min(...ended.map(({ member, progress }) => progress![progressOf.logged]! - tally(found, member).unique))
}

/** A pipe may end inside a line: what did not fit in was to come later. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
