/** The measured process: one subject and one scenario. The destination is its standard output. */
import { insideSpan } from '../../run/active-span.ts'
import { calibrate } from '../../run/calibration.ts'
import { collectGarbage, watchPeak } from '../../run/peak-memory.ts'
import { processIo } from '../../run/process-io.ts'
import { profiled } from '../../run/profile.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Job } from '../method.ts'
import { burstOf } from './burst-of.ts'
import type { Measured } from './measured.ts'
import { lap, type Lap } from './pace.ts'

const warmUpLaps = 5

const job = JSON.parse(process.argv[2]!) as Job
const burst = burstOf(job)
const subject = await subjects[job.subject]()
const log = await subject.open(burst.setup, job.build)
process.send!(
  await insideSpan(burst.setup, async () => {
    await warmUp(log)
    return measure(log)
  }),
)

/** Runs laps, so that the code at the end of a turn and of a flush is also compiled. Collects garbage before the last one. */
async function warmUp(log: Log): Promise<void> {
  const part = burst.warmUp / warmUpLaps
  const { enabled = 0 } = burst
  for (let i = 0; i < warmUpLaps; i++) {
    if (i === warmUpLaps - 1) collectGarbage()
    burst.runEnabled?.(log, enabled / warmUpLaps)
    await lap(burst, log, i * part, (i + 1) * part)
  }
  calibrate()
}

async function measure(log: Log): Promise<Measured> {
  const { records } = burst
  const peak = watchPeak()
  const calibration = calibrate()
  const io = processIo()
  const cpu = process.cpuUsage()
  const { result, functions } = await timed(() => lap(burst, log, burst.warmUp, burst.warmUp + records))
  const { user, system } = process.cpuUsage(cpu)
  const ioAfter = processIo()
  const memory = peak()
  return {
    figures: {
      loop: (result.loop * 1e6) / records,
      drain: (result.drain * 1e6) / records,
      cpu: ((user + system) * 1e3) / records,
      memory,
      ...(io && ioAfter && { bytes: (ioAfter.bytes - io.bytes) / records, writes: ioAfter.calls - io.calls }),
    },
    calibration: Math.max(calibration, calibrate()),
    stats: log.stats?.(),
    functions,
  }
}

async function timed(action: () => Promise<Lap>) {
  if (job.profile === undefined) return { result: await action(), functions: undefined }
  return profiled(job.profile, burst.records, action)
}
