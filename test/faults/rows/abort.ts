import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import type { FaultChild, FaultChildPlan } from '../harness/fault-child.ts'
import { wrongAfterKill } from '../harness/killed-file.ts'
import type { Row, RowBench } from './row.ts'

const controllers = '/sys/fs/cgroup/memory'
const hog = new URL('../harness/hog.ts', import.meta.url).href

/** `process.abort()` runs nothing of ours. */
export const aborted: Row = {
  row: 19,
  fault: 'a process aborts',
  how: '`process.abort()` while it logs turn by turn',
  run: (bench) => dies(bench, {}, 'abort', 'SIGABRT'),
}

/** V8 ends a process whose heap is full in the same way. */
export const heapFull: Row = {
  row: 19,
  fault: 'the heap is exhausted',
  how: '`--max-old-space-size=40`, and objects that are kept until V8 gives up',
  run: (bench) =>
    dies(bench, { nodeArgs: ['--max-old-space-size=40', '--import', hog], env: { HOG: 'heap' } }, 'hog', 'SIGABRT'),
}

/** The kernel takes the process that needs more memory than its group has. */
export const outOfMemory: Row = {
  row: 19,
  fault: 'the kernel has no memory left for a process',
  how: 'a memory cgroup (v1) of 120 MB, and buffers that are kept until the kernel kills',
  needs: { what: 'a memory cgroup (v1) that may be written to', isThere: () => existsGroup() },
  async run(bench) {
    const group = makeGroup(`sluice-${bench.run}`)
    try {
      const wrap = ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh']
      return await dies(bench, { wrap, nodeArgs: ['--import', hog] }, 'hog', 'SIGKILL')
    } finally {
      rmdirSync(group)
    }
  },
}

const rounds = 5

/** A process dies in the turn after one whose records are written, and another goes on with its file. */
async function dies(
  bench: RowBench,
  plan: Partial<FaultChildPlan>,
  way: 'abort' | 'hog',
  by: NodeJS.Signals,
): Promise<string[]> {
  const path = bench.path('file')
  const sink = { to: 'file', path } as const
  const child = await bench.start({ ...plan, sink })
  for (let round = 0; round < rounds; round++) await child.ask({ do: 'log', count: 200, perTurn: 20 })
  await queueIsEmpty(child)
  const confirmed = rounds * 200
  if (way === 'abort') child.tell({ do: 'abort' })
  else process.kill(child.pid, 'SIGUSR2')
  const { code, signal } = await child.ended
  const left = readFileSync(path, 'latin1')
  const next = await bench.start({ sink })
  await next.ask({ do: 'log', count: 10 })
  next.tell({ do: 'end' })
  const end = await next.ended
  const added = readFileSync(path, 'latin1').slice(left.length)
  const { run } = bench
  return [
    ...(signal === by ? [] : [`it ended with ${code ?? signal}, not ${by}: ${child.stderr.slice(0, 500)}`]),
    ...wrongAfterKill('', left, { run, pid: child.pid, confirmed }),
    ...(end.code === 0 ? [] : [`the next one ended with ${end.code ?? end.signal}`]),
    ...wrongAfterKill(left, added, { run, pid: next.pid, confirmed: 10 }),
  ]
}

/** Waits until all records are written, though nobody flushes: in a busy process, a millisecond after the last turn that logged. */
async function queueIsEmpty(child: FaultChild): Promise<void> {
  for (let asked = 0; asked < mostQuestions; asked++) {
    const { ledger } = await child.ask<'ledger'>({ do: 'ledger' })
    if (ledger === undefined || ledger.queued === 0) return
  }
}

/** Each takes a turn of two event loops. Where records stay queued, too few are there. */
const mostQuestions = 1_000

function existsGroup(): boolean {
  try {
    rmdirSync(makeGroup(`sluice-probe-${process.pid}`))
    return existsSync(`${controllers}/memory.limit_in_bytes`)
  } catch {
    return false
  }
}

function makeGroup(name: string): string {
  const group = `${controllers}/${name}`
  mkdirSync(group)
  writeFileSync(`${group}/memory.limit_in_bytes`, '120M')
  // Where there is swap, it would go there first.
  const withSwap = `${group}/memory.memsw.limit_in_bytes`
  if (existsSync(withSwap)) writeFileSync(withSwap, '120M')
  return group
}
