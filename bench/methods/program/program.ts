/** The measured program. It loads only its subject, and exits when the event loop is empty. */
import { writeSync } from 'node:fs'
import { subjects } from '../../subjects/index.ts'
import { cycles } from './cycles.ts'
import { reportFd, type ProgramReport, type Task } from './task.ts'

const task = JSON.parse(process.argv[2]!) as Task
const subject = await subjects[task.subject]()
const log = await subject.open({}, task.build)
const start = performance.now()
const sum = cycles[task.logs](log, task.cycles)
const loop = performance.now() - start
await log.flush()
const drain = performance.now() - start
const report: ProgramReport = { loop, drain, sum, stats: log.stats?.() }
writeSync(reportFd, JSON.stringify(report))
