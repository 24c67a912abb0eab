/** The measured process: measures the memory of a first burst. */
import { insideSpan } from '../../run/active-span.ts'
import { calibrate } from '../../run/calibration.ts'
import { collectGarbage, watchPeak } from '../../run/peak-memory.ts'
import { processIo } from '../../run/process-io.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Measured } from '../burst/measured.ts'
import type { Job } from '../method.ts'
import { memoryOf } from './memory-of.ts'

const job = JSON.parse(process.argv[2]!) as Job
const { setup, warmUp, records, run } = memoryOf(job)
const subject = await subjects[job.subject]()
const log = await subject.open(setup, job.build)
process.send!(await insideSpan(setup, () => measure(log)))

async function measure(log: Log): Promise<Measured> {
  // Log a few records, so that everything that is loaded on demand is loaded.
  run(log, 0, warmUp)
  await log.flush()
  calibrate()
  const calibration = calibrate()
  collectGarbage()
  const peak = watchPeak()
  const io = processIo()
  run(log, warmUp, warmUp + records)
  await log.flush()
  const ioAfter = processIo()
  return {
    figures: {
      memory: peak(),
      ...(io && ioAfter && { bytes: (ioAfter.bytes - io.bytes) / records, writes: ioAfter.calls - io.calls }),
    },
    calibration: Math.max(calibration, calibrate()),
    stats: log.stats?.(),
    functions: undefined,
  }
}
