// A member of a writer group: a thread, or a process whose argument is the WriterGroupPlan. It logs and exits as planned.
import { isMainThread, threadId, workerData } from 'node:worker_threads'
import { openWriter, memberOf } from './open-writer.ts'
import type { WriterGroupPlan, ThreadData } from './writer-group-plan.ts'

const given = isMainThread ? undefined : (workerData as ThreadData)
const plan = given?.plan ?? (JSON.parse(process.argv[2]!) as WriterGroupPlan)

const log = await openWriter(plan, memberOf(process.pid, threadId), given?.progress)
await log(plan.records)
const endsByItself = ['end', 'exit', 'throw', 'reject'].includes(plan.cause)
if (isMainThread && !endsByItself) process.send!('logged')
if (!endsByItself) await log(Infinity)
if (plan.cause === 'exit') process.exit(3)
if (plan.cause === 'throw') throw new Error('mine')
if (plan.cause === 'reject') void Promise.reject(new Error('mine'))
// The IPC channel to the parent would keep the process alive.
if (isMainThread && plan.cause === 'end') process.disconnect()
