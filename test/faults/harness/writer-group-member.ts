// One of a crowd: a thread, or a process whose argument is the CrowdPlan. It logs, and ends as it is told.
import { isMainThread, threadId, workerData } from 'node:worker_threads'
import { logging, memberOf } from './crowd-logging.ts'
import type { CrowdPlan, ThreadData } from './crowd-plan.ts'

const given = isMainThread ? undefined : (workerData as ThreadData)
const plan = given?.plan ?? (JSON.parse(process.argv[2]!) as CrowdPlan)

const log = await logging(plan, memberOf(process.pid, threadId), given?.progress)
await log(plan.records)
const endsByItself = ['end', 'exit', 'throw', 'reject'].includes(plan.way)
if (isMainThread && !endsByItself) process.send!('logged')
if (!endsByItself) await log(Infinity)
if (plan.way === 'exit') process.exit(3)
if (plan.way === 'throw') throw new Error('mine')
if (plan.way === 'reject') void Promise.reject(new Error('mine'))
// The channel to the parent would keep a process alive.
if (isMainThread && plan.way === 'end') process.disconnect()
