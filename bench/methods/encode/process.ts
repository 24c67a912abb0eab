/** The measured process: one subject that encodes records to requests. */
import { calibrate } from '../../run/calibration.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Job, Run } from '../method.ts'
import { problemsOfRequests } from './check.ts'
import { encodeOf } from './encode-of.ts'

const warmUpLaps = 5
/** The number of records in the requests that are kept at a time. The last ones are checked. */
const together = 5_000

const job = JSON.parse(process.argv[2]!) as Job
const variant = encodeOf(job)
const subject = await subjects[job.subject]()
const log = await subject.open(variant.setup, job.build)
if (log.requests === undefined) throw new Error(`the subject ${job.subject} does not create requests`)
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
  let requests: readonly Uint8Array[] = []
  let bytes = 0
  // Keep as many requests as would be in flight, and then release them, like an exporter.
  for (let from = 0; from < records; from += together) {
    run(log, warmUp + from, warmUp + Math.min(from + together, records))
    await log.flush()
    requests = log.requests()
    for (const { length } of requests) bytes += length
  }
  const took = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  const calibration = Math.max(before, calibrate())
  const last = records % together || together
  return {
    figures: {
      drain: (took * 1e6) / records,
      cpu: ((user + system) * 1e3) / records,
      bytes: bytes / records,
    },
    calibration,
    problems: problemsOfRequests(requests, setup.otlp, expected!, warmUp + records - last, last),
  }
}
