import { closeSync, openSync, readFileSync } from 'node:fs'
import { runCrowd, type Crowd } from '../harness/crowd.ts'
import type { CrowdPlan } from '../harness/crowd-plan.ts'
import { disagreements, readSink, tally, type Found } from '../harness/oracle.ts'
import { slowlyReadPipe } from '../harness/slow-pipe.ts'
import type { Row, RowBench } from './row.ts'

const eight = { kind: 'fork', members: 8, records: 1_500, perTurn: 500, padding: 150, way: 'exit' } as const
const clustered = { ...eight, kind: 'cluster', members: 4, parentRecords: 1_500, way: 'end' } as const

/** Several processes append to one file. */
export const oneFile: Row = {
  row: 21,
  fault: 'eight processes append to one file',
  how: 'eight forked processes log at the same time, 500 records a turn',
  async run(bench) {
    const path = bench.path('file')
    const crowd = await runCrowd({ ...eight, ...identityOf(bench), sink: { to: 'file', path } })
    return judge(crowd, readSink(readFileSync(path, 'latin1'), bench.run), eight)
  },
}

/** The shell opens a file without O_APPEND: what the processes share is its position. */
export const oneRedirectedFile: Row = {
  row: 21,
  fault: 'eight processes share redirected standard output',
  how: 'a file that was opened as the shell does for `>`, and eight forked processes that inherit it',
  async run(bench) {
    const path = bench.path('file')
    const fd = openSync(path, 'w')
    const crowd = await runCrowd({ ...eight, ...identityOf(bench), sink: { to: 'stdout' } }, { stdout: fd })
    closeSync(fd)
    return judge(crowd, readSink(readFileSync(path, 'latin1'), bench.run), eight)
  },
}

/** The same with the cluster module, and a primary that logs too. */
export const clusterOnOneFile: Row = {
  row: 21,
  fault: 'a cluster appends to one file',
  how: 'a primary and four workers of node:cluster log at the same time',
  async run(bench) {
    const path = bench.path('file')
    const crowd = await runCrowd({ ...clustered, ...identityOf(bench), sink: { to: 'file', path } })
    return judge(crowd, readSink(readFileSync(path, 'latin1'), bench.run), clustered)
  },
}

/** Several processes write to one pipe that is full nearly all the time. */
export const onePipe: Row = {
  row: 22,
  fault: 'eight processes share a pipe with a slow reader',
  how: 'eight forked processes, 64 KiB read each 2 ms',
  run: (bench) => onPipe(bench, eight),
}

/** Where lines are taken whole or not at all, nobody leaves half of one. */
export const killedOnOnePipe: Row = {
  row: 22,
  fault: 'processes are killed while they share a pipe with a slow reader',
  how: 'SIGKILL for eight forked processes, each in the middle of its logging',
  async run(bench) {
    const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 65_536, everyMillis: 2 })
    const plan = { ...eight, ...identityOf(bench), way: 'killed', sink: { to: 'stdout' } } as const
    const { ended } = await runCrowd(plan, { stdout: pipe.fd })
    const found = readSink(pipe.end(), bench.run)
    return [
      ...found.torn.map((line) => `torn: ${line.slice(0, 200)}`),
      // Those that are killed before they had a turn at the pipe leave nothing; one of them has the first turn.
      ...(found.seqs.size > 0 ? [] : ['nobody has logged']),
      ...ended.filter(({ code }) => code !== null).map(({ member, code }) => `${member} ended with ${code}`),
      ...[...found.seqs].flatMap(([pid, seqs]) =>
        seqs.every((seq, index) => seq === index) ? [] : [`${pid}: there is a gap, or disorder`],
      ),
    ]
  },
}

/** The same with the cluster module: its workers inherit the standard output. */
export const clusterOnOnePipe: Row = {
  row: 22,
  fault: 'a cluster shares its standard output, a pipe with a slow reader',
  how: 'a primary and four workers of node:cluster, 64 KiB read each 2 ms',
  run: (bench) => onPipe(bench, clustered),
}

/** A socket's flags are shared: starting a process that inherits it has it block, and so does the end of one. */
export const clusterOnOneSocket: Row = {
  row: 22,
  fault: 'a cluster shares its standard output, a socket that is read late, while members exit',
  how: 'a primary and four workers of node:cluster; the socket pair is read after 1.5 s',
  async run(bench) {
    const plan = { ...clustered, records: 2_000, parentRecords: 20_000, ...identityOf(bench) }
    const crowd = await runCrowd({ ...plan, sink: { to: 'stdout' } }, { readsAfterMillis: 1_500 })
    const wrong = judge(crowd, readSink(crowd.stdout, bench.run), plan)
    return crowd.longestTurn < 1_000 ? wrong : [...wrong, `a turn took ${Math.round(crowd.longestTurn)} ms`]
  },
}

/** The module ends a worker whose primary is gone with `process.exit`, and that drains. */
export const clusterOrphaned: Row = {
  row: 21,
  fault: 'the primary of a cluster is killed while its workers log',
  how: 'SIGKILL for the primary; four workers of node:cluster log to one file until they end by themselves',
  async run(bench) {
    const path = bench.path('file')
    const plan = { ...clustered, parentRecords: 0, ...identityOf(bench), way: 'orphaned' } as const
    const crowd = await runCrowd({ ...plan, sink: { to: 'file', path } })
    const found = readSink(readFileSync(path, 'latin1'), bench.run)
    return [
      ...disagreements(found, crowd.ledgers),
      ...(crowd.signal === 'SIGKILL' ? [] : [`the primary ended with ${crowd.code}: ${crowd.stderr}`]),
      ...(found.seqs.size === plan.members ? [] : [`${found.seqs.size} of ${plan.members} logged`]),
    ]
  },
}

/** Threads and the thread that started them write to one socket; what a thread has of it ends with the thread. */
export const threadsOnOneSocket: Row = {
  row: 22,
  fault: 'threads and their process share a socket that is read late',
  how: 'four worker threads and the main thread; the socket pair is read after 1 s',
  async run(bench) {
    const plan = { ...clustered, kind: 'threads', records: 1_000, parentRecords: 10_000, ...identityOf(bench) } as const
    const crowd = await runCrowd({ ...plan, sink: { to: 'stdout' } }, { readsAfterMillis: 1_000 })
    return judge(crowd, readSink(crowd.stdout, bench.run), plan)
  },
}

/** Nothing of a queue is inherited. */
export const forkMidBurst: Row = {
  row: 23,
  fault: 'a process with a full queue forks others',
  how: '`child_process.fork` in the turn of a burst of 20,000 records to a pipe that takes 64 KiB each 2 ms',
  run: (bench) => onPipe(bench, { ...eight, members: 2, records: 500, parentRecords: 20_000, perTurn: 20_000 }),
}

async function onPipe(bench: RowBench, plan: Omit<CrowdPlan, 'subject' | 'run' | 'sink'>): Promise<string[]> {
  const pipe = slowlyReadPipe(bench.path('pipe'), { bytes: 65_536, everyMillis: 2 })
  const given = { ...plan, ...identityOf(bench), sink: { to: 'stdout' } } as const
  const crowd = await runCrowd(given, { stdout: pipe.fd })
  return judge(crowd, readSink(pipe.end(), bench.run), plan)
}

function identityOf({ subject, run }: RowBench): Pick<CrowdPlan, 'subject' | 'run'> {
  return { subject, run }
}

/** Nothing may be lost here: readers are slow, not gone, and what waits fits into the queues. */
function judge(crowd: Crowd, found: Found, plan: Pick<CrowdPlan, 'records' | 'way' | 'parentRecords'>): string[] {
  const members = crowd.ended.map(({ member }) => member)
  const wrongEnds = crowd.ended.filter(({ code }) => code !== (plan.way === 'exit' ? 3 : 0))
  return [
    ...disagreements(found, crowd.ledgers),
    ...(crowd.code === 0 ? [] : [`the parent ended with ${crowd.code ?? crowd.signal}: ${crowd.stderr}`]),
    ...wrongEnds.map(({ member, code }) => `${member} ended with ${code}`),
    ...[...found.seqs.keys()].flatMap((pid) => {
      const { unique } = tally(found, pid)
      const logged = members.includes(pid) ? plan.records : plan.parentRecords
      return unique === logged ? [] : [`${pid}: ${unique} of ${logged} are there`]
    }),
  ]
}
