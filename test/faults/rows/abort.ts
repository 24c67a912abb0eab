import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import type { FaultChild, FaultChildPlan } from '../harness/fault-child.ts'
import { checkFileAfterKill } from '../harness/killed-file.ts'
import type { FaultRow, FaultHarness } from './row.ts'

const controllers = '/sys/fs/cgroup/memory'
const hog = new URL('../harness/hog.ts', import.meta.url).href

/** `process.abort()` runs no exit handlers. */
export const aborted: FaultRow = {
  row: 19,
  fault: 'a process aborts',
  how: '`process.abort()` while it logs turn by turn',
  run: (harness) => killed(harness, {}, 'abort', 'SIGABRT'),
}

/** V8 aborts a process whose heap is full. */
export const heapFull: FaultRow = {
  row: 19,
  fault: 'the heap is exhausted',
  how: '`--max-old-space-size=40`, and objects that are retained until V8 aborts',
  run: (harness) =>
    killed(harness, { nodeArgs: ['--max-old-space-size=40', '--import', hog], env: { HOG: 'heap' } }, 'hog', 'SIGABRT'),
}

/** The kernel kills a process that needs more memory than its cgroup has. */
export const outOfMemory: FaultRow = {
  row: 19,
  fault: 'the kernel has no memory left for a process',
  how: 'a memory cgroup (v1) of 120 MB, and buffers that are retained until the kernel kills the process',
  needs: { what: 'a writable memory cgroup (v1)', isAvailable: () => existsGroup() },
  async run(harness) {
    const group = makeGroup(`sluice-${harness.run}`)
    try {
      const wrap = ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$@"`, 'sh']
      return await killed(harness, { wrap, nodeArgs: ['--import', hog] }, 'hog', 'SIGKILL')
    } finally {
      rmdirSync(group)
    }
  },
}

const rounds = 5

/** A process is killed in the turn after its records are written, and another one continues its file. */
async function killed(
  harness: FaultHarness,
  plan: Partial<FaultChildPlan>,
  cause: 'abort' | 'hog',
  by: NodeJS.Signals,
): Promise<string[]> {
  const path = harness.path('file')
  const sink = { to: 'file', path } as const
  const child = await harness.start({ ...plan, sink })
  for (let round = 0; round < rounds; round++) await child.request({ do: 'log', count: 200, perTurn: 20 })
  await queueIsEmpty(child)
  const confirmed = rounds * 200
  if (cause === 'abort') child.send({ do: 'abort' })
  else process.kill(child.pid, 'SIGUSR2')
  const { code, signal } = await child.ended
  const left = readFileSync(path, 'latin1')
  const next = await harness.start({ sink })
  await next.request({ do: 'log', count: 10 })
  next.send({ do: 'end' })
  const end = await next.ended
  const added = readFileSync(path, 'latin1').slice(left.length)
  const { run } = harness
  return [
    ...(signal === by ? [] : [`it ended with ${code ?? signal}, not ${by}: ${child.stderr.slice(0, 500)}`]),
    ...checkFileAfterKill('', left, { run, pid: child.pid, confirmed }),
    ...(end.code === 0 ? [] : [`the next process ended with ${end.code ?? end.signal}`]),
    ...checkFileAfterKill(left, added, { run, pid: next.pid, confirmed: 10 }),
  ]
}

/** Waits until all records are written without a flush: in a busy process, a millisecond after the last turn that logged. */
async function queueIsEmpty(child: FaultChild): Promise<void> {
  for (let request = 0; request < maxRequests; request++) {
    const { stats } = await child.request<'stats'>({ do: 'stats' })
    if (stats === undefined || stats.queued === 0) return
  }
}

/** Each takes a turn of two event loops. When it is exceeded, records are missing from the file. */
const maxRequests = 1_000

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
  // With swap space, memory would be swapped out first.
  const withSwap = `${group}/memory.memsw.limit_in_bytes`
  if (existsSync(withSwap)) writeFileSync(withSwap, '120M')
  return group
}
