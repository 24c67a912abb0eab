/** The measured process: counts the bytes that a warm call allocates. */
import { insideSpan } from '../../run/active-span.ts'
import { calibrate } from '../../run/calibration.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Job } from '../method.ts'
import { allocatedByCall, perLap, warmUpLaps } from './allocation-laps.ts'
import { problemOfCounting } from './control.ts'
import type { Allocated } from './measured.ts'
import { memoryOf } from './memory-of.ts'

const job = JSON.parse(process.argv[2]!) as Job
const { setup, warmUp, run } = memoryOf(job)
const subject = await subjects[job.subject]()
const log = await subject.open(setup, job.build)
process.send!(await insideSpan(setup, () => measure(log)))

async function measure(log: Log): Promise<Allocated> {
  run(log, 0, warmUp)
  for (let index = 0; index < warmUpLaps; index++) await lap(index)
  const allocated = await allocatedByCall((index) => lap(warmUpLaps + index))
  const problem = await problemOfCounting()
  return { figures: { allocated }, calibration: calibrate(), stats: log.stats?.(), functions: undefined, problem }

  async function lap(index: number): Promise<void> {
    run(log, warmUp + index * perLap, warmUp + (index + 1) * perLap)
    await log.flush()
  }
}
