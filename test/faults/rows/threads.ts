import { readFileSync } from 'node:fs'
import { runWriterGroup, type WriterGroupResult } from '../harness/writer-group.ts'
import { progressOf, type WriterGroupPlan, type AbruptEnd } from '../harness/writer-group-plan.ts'
import { findMismatches, readSink, countSequence, type SinkContents } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const common = { kind: 'threads', members: 4, records: 2_000, perTurn: 50 } as const
const codes = { end: 0, exit: 3, throw: 1, reject: 1 } as const

/** Threads that exit in every way. */
export const threadsEnd: FaultRow = {
  row: 20,
  fault: 'threads end while records are queued',
  how: 'four worker threads log to one file and end: by themselves, `process.exit`, an uncaught error, a rejection',
  async run(harness) {
    const wrong = await Promise.all(
      (['end', 'exit', 'throw', 'reject'] as const).map(async (cause) => {
        const { group, contents } = await toFile(harness, { ...common, cause }, cause)
        const others = group.ended.filter(({ code }) => code !== codes[cause])
        return [
          ...findMismatches(contents, group.statsByMember),
          ...(group.statsByMember.size === 4 ? [] : [`${group.statsByMember.size} of 4 threads reported statistics`]),
          ...others.map(({ member, code }) => `${member} ended with ${code}`),
          ...missing(group, contents, common.records),
        ].map((text) => `${cause}: ${text}`)
      }),
    )
    return wrong.flat()
  },
}

/** A terminated thread runs no exit handlers. */
export const threadsTerminated: FaultRow = {
  row: 20,
  fault: 'threads are terminated while they log',
  how: '`worker.terminate()` in the middle of a turn, to a file and to a pipe that is not read',
  run: (harness) => endsSuddenly(harness, 'terminate'),
}

/** The exit of a process terminates its threads in the same way. */
export const threadsOfEndedProcess: FaultRow = {
  row: 20,
  fault: 'the process ends while its threads log',
  how: '`process.exit` in the main thread, to a file and to a pipe that is not read',
  run: (harness) => endsSuddenly(harness, 'exit of all'),
}

/** A thread delays only its own exit, and at most for its exit timeout. */
export const threadsExitStalled: FaultRow = {
  row: 20,
  fault: 'threads exit while their pipe is not read',
  how: '`process.exit` in two worker threads, with 500 ms to write the queue',
  async run(harness) {
    const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 0 })
    const plan = { ...common, members: 2, cause: 'exit', ...identityOf(harness), sink: { to: 'stdout' } } as const
    const start = performance.now()
    const group = await runWriterGroup(
      { ...plan, options: { logger: { exitTimeoutMillis: 500 } } },
      { stdout: pipe.fd },
    )
    const millis = performance.now() - start
    const contents = readSink(pipe.end(), harness.run)
    return [
      ...findMismatches(contents, group.statsByMember),
      ...(group.statsByMember.size === 2 ? [] : [`${group.statsByMember.size} of 2 threads reported statistics`]),
      ...group.ended.filter(({ code }) => code !== 3).map(({ member, code }) => `${member} ended with ${code}`),
      ...(group.stderr.includes('SLUICE_RECORDS_LOST') ? [] : ['the loss was not reported']),
      ...(millis < 5_000 ? [] : [`it took ${Math.round(millis)} ms`]),
    ]
  },
}

/** The resources of a thread must be released when it exits. Starts groups of threads one after the other. */
export function threadsLeak(members: number, groupCount: number): FaultRow {
  const rounds = groupCount / 2
  return {
    row: 20,
    fault: `${members * groupCount} threads start and exit`,
    how: `groups of ${members} worker threads with a file, every second one terminated; descriptors and listeners are counted`,
    async run(harness) {
      const causes = ['end', 'terminate'] as const
      const groups = await Promise.all(
        causes.map((cause) => toFile(harness, { ...common, cause, members, rounds, records: 100 }, `leak-${cause}`)),
      )
      return groups.flatMap(({ group }) => leaks(group, members * rounds))
    },
  }
}

/** Threads share descriptor 1. */
export const threadsOnOnePipe: FaultRow = {
  row: 20,
  fault: 'threads share a pipe with a slow reader',
  how: 'eight worker threads write to descriptor 1, a pipe of which 16 KiB are read every ms',
  async run(harness) {
    const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 16_384, everyMillis: 1 })
    const plan = { ...common, members: 8, records: 1_000, cause: 'end' } as const
    const group = await runWriterGroup({ ...plan, ...identityOf(harness), sink: { to: 'stdout' } }, { stdout: pipe.fd })
    const contents = readSink(pipe.end(), harness.run)
    return [...findMismatches(contents, group.statsByMember), ...missing(group, contents, plan.records)]
  },
}

async function endsSuddenly(harness: FaultHarness, cause: AbruptEnd): Promise<string[]> {
  const plan = { ...common, cause }
  let file = await toFile(harness, plan, 'file')
  // If the disk is slow at that moment, all threads write in the background, and more than one turn of records may be queued.
  for (let again = 1; again <= 3 && leastLost(file.group, file.contents) > common.perTurn; again++)
    file = await toFile(harness, plan, `file-${again}`)
  const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 0 })
  const stalled = await runWriterGroup({ ...plan, ...identityOf(harness), sink: { to: 'stdout' } }, { stdout: pipe.fd })
  const read = readSink(wholeLines(pipe.end()), harness.run)
  return [
    ...lostMore(file.group, file.contents, common.perTurn).map((text) => `file: ${text}`),
    ...lostMore(stalled, read, Infinity).map((text) => `pipe: ${text}`),
    ...[file.contents, read].flatMap(({ torn }) => torn.map((line) => `torn: ${line.slice(0, 200)}`)),
  ]
}

function identityOf({ subject, run }: FaultHarness): Pick<WriterGroupPlan, 'subject' | 'run'> {
  return { subject, run }
}

async function toFile(
  harness: FaultHarness,
  plan: Omit<WriterGroupPlan, 'subject' | 'run' | 'sink'>,
  name: string,
): Promise<{ group: WriterGroupResult; contents: SinkContents }> {
  const path = harness.path(name)
  const group = await runWriterGroup({ ...plan, ...identityOf(harness), sink: { to: 'file', path } })
  return { group, contents: readSink(readFileSync(path, 'latin1'), harness.run) }
}

/** Compares with the state after the first group, which creates what is created once. */
function leaks({ openHandles, ended }: WriterGroupResult, members: number): string[] {
  const [, first, last] = openHandles
  const wrong = ended.length === members ? [] : [`${ended.length} of ${members} threads ended`]
  for (const what of ['descriptors', 'listeners'] as const) {
    if (last![what] > first![what]) wrong.push(`${last![what] - first![what]} ${what} leak`)
  }
  return wrong
}

function missing({ ended }: WriterGroupResult, contents: SinkContents, records: number): string[] {
  return ended.flatMap(({ member }) => {
    const { unique } = countSequence(contents, member)
    return unique === records ? [] : [`${member}: ${records - unique} of ${records} are missing`]
  })
}

/** Records that were counted as written must be in the sink, and at most `perTurn` others may be missing. */
function lostMore({ ended }: Pick<WriterGroupResult, 'ended'>, contents: SinkContents, perTurn: number): string[] {
  if (ended.length !== common.members) return [`${ended.length} of ${common.members} threads ended`]
  const wrong = ended.flatMap(({ member, progress }) => {
    const { unique, disorder, duplicates } = countSequence(contents, member)
    const written = progress![progressOf.written]!
    return [
      ...(unique >= written ? [] : [`${member}: ${unique} of ${written} written records found`]),
      ...(disorder + duplicates === 0 ? [] : [`${member}: ${disorder} out of order, ${duplicates} duplicates`]),
    ]
  })
  const least = leastLost({ ended }, contents)
  return least <= perTurn ? wrong : [...wrong, `each thread lost ${least} or more, and a turn has ${perTurn}`]
}

/** Returns the number of missing records of the thread that lost the fewest. */
function leastLost({ ended }: Pick<WriterGroupResult, 'ended'>, contents: SinkContents): number {
  return Math.min(
    ...ended.map(({ member, progress }) => progress![progressOf.logged]! - countSequence(contents, member).unique),
  )
}

/** Returns the text up to its last complete line: the rest of a line was not written because the pipe was full. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}
