/** The measured process: one subject at a steady rate. The destination is its standard output. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { insideSpan } from '../../run/active-span.ts'
import { calibrate } from '../../run/calibration.ts'
import { collectGarbage, watchPeak } from '../../run/peak-memory.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Measured } from '../burst/measured.ts'
import type { Job } from '../method.ts'
import { clockCost, pace, quantile } from './pace.ts'
import { pacedOf } from './paced-of.ts'

const job = JSON.parse(process.argv[2]!) as Job
const variant = pacedOf(job)
const { records, warmUp, setup } = variant
const subject = await subjects[job.subject]()
const log = await subject.open(setup, job.build)
process.send!(await insideSpan(setup, () => measure(log)))

async function measure(log: Log): Promise<Measured> {
  // Fill both, so that their pages exist before the memory is measured.
  const warmUpTimes = new Float64Array(warmUp).fill(1)
  const times = new Float64Array(records).fill(1)
  const half = Math.ceil(warmUp / 2)
  await pace(variant, log, 0, half, warmUpTimes)
  collectGarbage()
  await pace(variant, log, half, warmUp, warmUpTimes)
  const clock = clockCost(warmUpTimes)
  const peak = watchPeak()
  calibrate()
  const calibration = calibrate()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const { took, longestBlock } = await pace(variant, log, warmUp, warmUp + records, times)
  delay.disable()
  const memory = peak()
  const sorted = times.toSorted()
  // In ms, without the time of the clock reads.
  const call = (share: number) => Math.max(0, quantile(sorted, share) - clock)
  return {
    figures: {
      rate: (records * 1e3) / took,
      callP50: call(0.5) * 1e6,
      callP99: call(0.99) * 1e3,
      callP999: call(0.999) * 1e3,
      callMax: call(1) * 1e3,
      clock: clock * 1e6,
      block: longestBlock,
      loopDelay: delay.max / 1e6,
      memory,
    },
    calibration: Math.max(calibration, calibrate()),
    stats: log.stats?.(),
    functions: undefined,
  }
}
