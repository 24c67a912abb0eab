/** The measured process: one subject that makes requests of records. */
import { calibrate } from '../../run/calibration.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Job, Run } from '../method.ts'
import { problemsOfRequests } from './check.ts'
import { encodeOf } from './encode-of.ts'

const warmUpLaps = 5

const job = JSON.parse(process.argv[2]!) as Job
const variant = encodeOf(job)
const subject = await subjects[job.subject]()
const log = await subject.open(variant.setup, job.build)
if (log.requests === undefined) throw new Error(`${job.subject} makes no requests`)
process.send!(await measure(log as Log & Required<Pick<Log, 'requests'>>))

async function measure(log: Log & Required<Pick<Log, 'requests'>>): Promise<Run> {
  const { records, warmUp, setup, run, expected } = variant
  const part = warmUp / warmUpLaps
  for (let lap = 0; lap < warmUpLaps; lap++) {
    run(log, lap * part, (lap + 1) * part)
    await log.flush()
    log.requests()
  }
  calibrate()
  const before = calibrate()
  const cpu = process.cpuUsage()
  const start = performance.now()
  run(log, warmUp, warmUp + records)
  await log.flush()
  const took = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const calibration = Math.max(before, calibrate())
  const requests = log.requests()
  return {
    figures: {
      drain: (took * 1e6) / records,
      cpu: ((user + system) * 1e3) / records,
      bytes: requests.reduce((sum, { length }) => sum + length, 0) / records,
    },
    calibration,
    problems: problemsOfRequests(requests, setup.otlp, expected!, warmUp, records),
  }
}
