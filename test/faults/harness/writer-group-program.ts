// The parent of a crowd. Argument: a CrowdPlan as JSON. What it and its members say leaves by descriptor 3.
import { fork, type ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { logging, memberOf, say } from './crowd-logging.ts'
import { progressOf, type CrowdPlan, type CrowdSaid, type ThreadData } from './crowd-plan.ts'

const plan = JSON.parse(process.argv[2]!) as CrowdPlan
const program = fileURLToPath(new URL('crowd-member.ts', import.meta.url))
const inherited = ['ignore', 'inherit', 'inherit', 'inherit', 'ipc'] as const

const ready: CrowdSaid[] = []
let orphans = 0
const { members = 1, rounds = 1, parentRecords = 0 } = plan
const log = parentRecords > 0 ? await logging(plan, process.pid) : undefined
const starts = { threads: thread, cluster: clusterProcess, fork: forkedProcess }
// In one turn: when the members start, all of this is in the queue.
const logged = log?.(parentRecords)
tellOpen()
for (let round = 0; round < rounds; round++) {
  await Promise.all(Array.from({ length: members }, starts[plan.kind]))
  if (round === 0 || round === rounds - 1) tellOpen()
}
await logged

async function thread(): Promise<void> {
  const progress = new Int32Array(new SharedArrayBuffer(12))
  const worker = new Worker(program, { workerData: { plan, progress } satisfies ThreadData })
  const member = memberOf(process.pid, worker.threadId)
  let thrown: Error | undefined
  worker.on('error', (error: Error) => (thrown = error))
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve))
  if (plan.way === 'terminate' || plan.way === 'exit of all') {
    // In the middle of a turn: no end of one is waited for.
    while (Atomics.load(progress, progressOf.logged) <= plan.records)
      await new Promise((resolve) => setTimeout(resolve, 1))
    if (plan.way === 'exit of all') return endAll({ said: 'ended', member, code: null, progress: [...progress] })
    await worker.terminate()
  }
  const code = await ended
  say({ said: 'ended', member, code, progress: [...progress], ...(thrown && { error: thrown.message }) })
}

async function forkedProcess(): Promise<void> {
  const child = fork(program, [JSON.stringify(plan)], { stdio: [...inherited] })
  if (plan.way === 'killed') child.once('message', () => child.kill('SIGKILL'))
  return ended(child)
}

async function clusterProcess(): Promise<void> {
  cluster.setupPrimary({ exec: program, args: [JSON.stringify(plan)], stdio: [...inherited] })
  const { process: child } = cluster.fork()
  if (plan.way !== 'orphaned') return ended(child)
  await once(child, 'message')
  if (++orphans === members) process.kill(process.pid, 'SIGKILL')
}

/** Ends the process when the last of its threads is ready for it. */
function endAll(said: CrowdSaid): void {
  ready.push(said)
  if (ready.length < members) return
  for (const each of ready) say(each)
  process.exit()
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  say({ said: 'ended', member: child.pid!, code })
}

function tellOpen(): void {
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  say({ said: 'open', descriptors: readdirSync('/proc/self/fd').length, listeners })
}
