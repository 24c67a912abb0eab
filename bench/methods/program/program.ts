/** The measured program. It loads its subject and no more, and ends when it has nothing left to do. */
import { writeSync } from 'node:fs'
import { subjects } from '../../subjects/index.ts'
import { cycles } from './cycles.ts'
import { answerFd, type Reported, type Task } from './task.ts'

const task = JSON.parse(process.argv[2]!) as Task
const subject = await subjects[task.subject]()
const log = await subject.open({}, task.build)
const start = performance.now()
const sum = cycles[task.logs](log, task.cycles)
const loop = performance.now() - start
await log.flush()
const drain = performance.now() - start
const said: Reported = { loop, drain, sum, stats: log.stats?.() }
writeSync(answerFd, JSON.stringify(said))
