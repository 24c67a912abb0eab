/** The measured process: one server and one subject. The destination is its standard output. */
import { calibrate } from '../../run/calibration.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Job } from '../method.ts'
import { httpOf } from './http-of.ts'
import { keepTick } from './keep-tick.ts'
import type { BeginReply, ListenReply, ServerResult, ServerLap, ServerCommand } from './protocol.ts'
import { serviceOf } from './services.ts'

const job = JSON.parse(process.argv[2]!) as Job
keepTick()
const log = await openLog()
const server = await serviceOf(httpOf(job).service).start(log)
// Run once before, so that it is compiled.
calibrate()
const start = { calibration: NaN, cpu: process.cpuUsage(), loop: performance.eventLoopUtilization() }

process.on('message', (command: ServerCommand) => void handle(command))
process.on('disconnect', () => process.exit())

async function openLog(): Promise<Log | undefined> {
  if (job.subject === 'none') return undefined
  const subject = await subjects[job.subject]()
  return subject.open({}, job.build)
}

async function handle({ command }: ServerCommand): Promise<void> {
  if (command === 'listen') process.send!({ port: server.port } satisfies ListenReply)
  else if (command === 'begin') process.send!(await begin())
  else if (command === 'lap') process.send!(await lap())
  else process.send!(await end())
}

/** Waits for pending work, which is not part of the lap. */
async function begin(): Promise<BeginReply> {
  await log?.flush()
  start.calibration = calibrate()
  start.cpu = process.cpuUsage()
  start.loop = performance.eventLoopUtilization()
  return { begun: true }
}

async function lap(): Promise<ServerLap> {
  const { active: activeMillis } = performance.eventLoopUtilization(start.loop)
  await log?.flush()
  const { user, system } = process.cpuUsage(start.cpu)
  return { cpuMicros: user + system, activeMillis, calibration: Math.max(start.calibration, calibrate()) }
}

async function end(): Promise<ServerResult> {
  await server.close()
  const stopped = performance.now()
  await log?.flush()
  const leftover = performance.now() - stopped
  return {
    figures: { ...server.figures, leftover },
    shape: server.shape,
    records: server.records(),
    stats: log?.stats?.(),
  }
}
