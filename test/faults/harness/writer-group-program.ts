// The parent of a writer group. Argument: a WriterGroupPlan as JSON. Its messages and those of its members go to descriptor 3.
import { fork, type ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { openWriter, memberOf, send } from './open-writer.ts'
import { progressOf, type WriterGroupPlan, type WriterGroupMessage, type ThreadData } from './writer-group-plan.ts'

const plan = JSON.parse(process.argv[2]!) as WriterGroupPlan
const program = fileURLToPath(new URL('writer-group-member.ts', import.meta.url))
const inherited = ['ignore', 'inherit', 'inherit', 'inherit', 'ipc'] as const

const ready: WriterGroupMessage[] = []
let orphans = 0
const { members = 1, rounds = 1, parentRecords = 0 } = plan
const log = parentRecords > 0 ? await openWriter(plan, process.pid) : undefined
const starts = { threads: thread, cluster: clusterProcess, fork: forkedProcess }
// Logged in one turn, so that the queue is full when the members start.
const logged = log?.(parentRecords)
sendOpenHandles()
for (let round = 0; round < rounds; round++) {
  await Promise.all(Array.from({ length: members }, starts[plan.kind]))
  if (round === 0 || round === rounds - 1) sendOpenHandles()
}
await logged

async function thread(): Promise<void> {
  const progress = new Int32Array(new SharedArrayBuffer(12))
  const worker = new Worker(program, { workerData: { plan, progress } satisfies ThreadData })
  const member = memberOf(process.pid, worker.threadId)
  let thrown: Error | undefined
  worker.on('error', (error: Error) => (thrown = error))
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve))
  if (plan.cause === 'terminate' || plan.cause === 'exit of all') {
    // Polls instead of waiting for a message, to end the thread in the middle of a turn.
    while (Atomics.load(progress, progressOf.logged) <= plan.records)
      await new Promise((resolve) => setTimeout(resolve, 1))
    if (plan.cause === 'exit of all') return endAll({ type: 'ended', member, code: null, progress: [...progress] })
    await worker.terminate()
  }
  const code = await ended
  send({ type: 'ended', member, code, progress: [...progress], ...(thrown && { error: thrown.message }) })
}

async function forkedProcess(): Promise<void> {
  const child = fork(program, [JSON.stringify(plan)], { stdio: [...inherited] })
  if (plan.cause === 'killed') child.once('message', () => child.kill('SIGKILL'))
  return ended(child)
}

async function clusterProcess(): Promise<void> {
  cluster.setupPrimary({ exec: program, args: [JSON.stringify(plan)], stdio: [...inherited] })
  const { process: child } = cluster.fork()
  if (plan.cause !== 'orphaned') return ended(child)
  await once(child, 'message')
  if (++orphans === members) process.kill(process.pid, 'SIGKILL')
}

/** Exits when the last of the threads is ready. */
function endAll(message: WriterGroupMessage): void {
  ready.push(message)
  if (ready.length < members) return
  for (const each of ready) send(each)
  process.exit()
}

async function ended(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  send({ type: 'ended', member: child.pid!, code })
}

function sendOpenHandles(): void {
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  send({ type: 'open', descriptors: readdirSync('/proc/self/fd').length, listeners })
}
