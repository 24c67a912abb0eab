import { closeSync, openSync, readFileSync } from 'node:fs'
import { runWriterGroup, type WriterGroupResult } from '../harness/writer-group.ts'
import type { WriterGroupPlan } from '../harness/writer-group-plan.ts'
import { findMismatches, readSink, countSequence, type SinkContents } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const eight = { kind: 'fork', members: 8, records: 1_500, perTurn: 500, padding: 150, cause: 'exit' } as const
const clustered = { ...eight, kind: 'cluster', members: 4, parentRecords: 1_500, cause: 'end' } as const

/** Several processes append to one file. */
export const oneFile: FaultRow = {
  row: 21,
  fault: 'eight processes append to one file',
  how: 'eight forked processes log at the same time, 500 records a turn',
  async run(harness) {
    const path = harness.path('file')
    const group = await runWriterGroup({ ...eight, ...identityOf(harness), sink: { to: 'file', path } })
    return checkGroup(group, readSink(readFileSync(path, 'latin1'), harness.run), eight)
  },
}

/** The shell opens a file for `>` without O_APPEND, so the processes share its position. */
export const oneRedirectedFile: FaultRow = {
  row: 21,
  fault: 'eight processes share redirected standard output',
  how: 'a file that was opened as the shell does for `>`, and eight forked processes that inherit it',
  async run(harness) {
    const path = harness.path('file')
    const fd = openSync(path, 'w')
    const group = await runWriterGroup({ ...eight, ...identityOf(harness), sink: { to: 'stdout' } }, { stdout: fd })
    closeSync(fd)
    return checkGroup(group, readSink(readFileSync(path, 'latin1'), harness.run), eight)
  },
}

/** The same with the cluster module and a primary that also logs. */
export const clusterOnOneFile: FaultRow = {
  row: 21,
  fault: 'a cluster appends to one file',
  how: 'a primary and four workers of node:cluster log at the same time',
  async run(harness) {
    const path = harness.path('file')
    const group = await runWriterGroup({ ...clustered, ...identityOf(harness), sink: { to: 'file', path } })
    return checkGroup(group, readSink(readFileSync(path, 'latin1'), harness.run), clustered)
  },
}

/** Several processes write to one pipe that is full nearly all the time. */
export const onePipe: FaultRow = {
  row: 22,
  fault: 'eight processes share a pipe with a slow reader',
  how: 'eight forked processes, 64 KiB read every 2 ms',
  run: (harness) => onPipe(harness, eight),
}

/** Lines are written whole or not at all, so a killed process leaves no part of a line. */
export const killedOnOnePipe: FaultRow = {
  row: 22,
  fault: 'processes are killed while they share a pipe with a slow reader',
  how: 'SIGKILL for eight forked processes, each in the middle of its logging',
  async run(harness) {
    const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 65_536, everyMillis: 2 })
    const plan = { ...eight, ...identityOf(harness), cause: 'killed', sink: { to: 'stdout' } } as const
    const { ended } = await runWriterGroup(plan, { stdout: pipe.fd })
    const contents = readSink(pipe.end(), harness.run)
    return [
      ...contents.torn.map((line) => `torn: ${line.slice(0, 200)}`),
      // A process that is killed before its first write leaves no records, but at least one process has written.
      ...(contents.sequences.size > 0 ? [] : ['no process has logged']),
      ...ended.filter(({ code }) => code !== null).map(({ member, code }) => `${member} ended with ${code}`),
      ...[...contents.sequences].flatMap(([pid, sequences]) =>
        sequences.every((seq, index) => seq === index) ? [] : [`${pid}: there is a gap, or disorder`],
      ),
    ]
  },
}

/** The same with the cluster module: its workers inherit the standard output. */
export const clusterOnOnePipe: FaultRow = {
  row: 22,
  fault: 'a cluster shares its standard output, a pipe with a slow reader',
  how: 'a primary and four workers of node:cluster, 64 KiB read every 2 ms',
  run: (harness) => onPipe(harness, clustered),
}

/** The flags of a socket are shared: starting or ending a process that inherits it makes it blocking. */
export const clusterOnOneSocket: FaultRow = {
  row: 22,
  fault: 'a cluster shares its standard output, a socket that is read late, while members exit',
  how: 'a primary and four workers of node:cluster; the socket pair is read after 1.5 s',
  async run(harness) {
    const plan = { ...clustered, records: 2_000, parentRecords: 20_000, ...identityOf(harness) }
    const group = await runWriterGroup({ ...plan, sink: { to: 'stdout' } }, { readsAfterMillis: 1_500 })
    const wrong = checkGroup(group, readSink(group.stdout, harness.run), plan)
    return group.longestTurn < 1_000 ? wrong : [...wrong, `a turn took ${Math.round(group.longestTurn)} ms`]
  },
}

/** The cluster module calls `process.exit` in a worker whose primary has exited, which drains the queue. */
export const clusterOrphaned: FaultRow = {
  row: 21,
  fault: 'the primary of a cluster is killed while its workers log',
  how: 'SIGKILL for the primary; four workers of node:cluster log to one file until they end by themselves',
  async run(harness) {
    const path = harness.path('file')
    const plan = { ...clustered, parentRecords: 0, ...identityOf(harness), cause: 'orphaned' } as const
    const group = await runWriterGroup({ ...plan, sink: { to: 'file', path } })
    const contents = readSink(readFileSync(path, 'latin1'), harness.run)
    return [
      ...findMismatches(contents, group.statsByMember),
      ...(group.signal === 'SIGKILL' ? [] : [`the primary ended with ${group.code}: ${group.stderr}`]),
      ...(contents.sequences.size === plan.members ? [] : [`${contents.sequences.size} of ${plan.members} logged`]),
    ]
  },
}

/** Worker threads and the main thread write to one socket. The state of a thread ends with the thread. */
export const threadsOnOneSocket: FaultRow = {
  row: 22,
  fault: 'threads and their process share a socket that is read late',
  how: 'four worker threads and the main thread; the socket pair is read after 1 s',
  async run(harness) {
    const plan = {
      ...clustered,
      kind: 'threads',
      records: 1_000,
      parentRecords: 10_000,
      ...identityOf(harness),
    } as const
    const group = await runWriterGroup({ ...plan, sink: { to: 'stdout' } }, { readsAfterMillis: 1_000 })
    return checkGroup(group, readSink(group.stdout, harness.run), plan)
  },
}

/** A forked process does not inherit the queue. */
export const forkMidBurst: FaultRow = {
  row: 23,
  fault: 'a process with a full queue forks others',
  how: '`child_process.fork` in the turn of a burst of 20,000 records to a pipe of which 64 KiB are read every 2 ms',
  run: (harness) => onPipe(harness, { ...eight, members: 2, records: 500, parentRecords: 20_000, perTurn: 20_000 }),
}

async function onPipe(
  harness: FaultHarness,
  plan: Omit<WriterGroupPlan, 'subject' | 'run' | 'sink'>,
): Promise<string[]> {
  const pipe = slowlyReadPipe(harness.path('pipe'), { bytes: 65_536, everyMillis: 2 })
  const given = { ...plan, ...identityOf(harness), sink: { to: 'stdout' } } as const
  const group = await runWriterGroup(given, { stdout: pipe.fd })
  return checkGroup(group, readSink(pipe.end(), harness.run), plan)
}

function identityOf({ subject, run }: FaultHarness): Pick<WriterGroupPlan, 'subject' | 'run'> {
  return { subject, run }
}

/** No record may be lost: readers are slow but connected, and the queued records fit into the queues. */
function checkGroup(
  group: WriterGroupResult,
  contents: SinkContents,
  plan: Pick<WriterGroupPlan, 'records' | 'cause' | 'parentRecords'>,
): string[] {
  const members = group.ended.map(({ member }) => member)
  const wrongEnds = group.ended.filter(({ code }) => code !== (plan.cause === 'exit' ? 3 : 0))
  return [
    ...findMismatches(contents, group.statsByMember),
    ...(group.code === 0 ? [] : [`the parent ended with ${group.code ?? group.signal}: ${group.stderr}`]),
    ...wrongEnds.map(({ member, code }) => `${member} ended with ${code}`),
    ...[...contents.sequences.keys()].flatMap((pid) => {
      const { unique } = countSequence(contents, pid)
      const logged = members.includes(pid) ? plan.records : plan.parentRecords
      return unique === logged ? [] : [`${pid}: ${unique} of ${logged} found`]
    }),
  ]
}
