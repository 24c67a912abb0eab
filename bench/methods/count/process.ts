/** The measured process: one cold subject, whose standard output is the destination. It is also traced. */
import { calibrate } from '../../run/calibration.ts'
import { processIo } from '../../run/process-io.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Measured } from '../burst/measured.ts'
import { lap } from '../burst/pace.ts'
import type { Job } from '../method.ts'
import { countOf } from './count-of.ts'

const job = JSON.parse(process.argv[2]!) as Job
const variant = countOf(job)
const subject = await subjects[job.subject]()
process.send!(await measure(await subject.open(variant.setup, job.build)))

async function measure(log: Log): Promise<Measured> {
  const { records } = variant
  // Run once before, so that it is compiled.
  calibrate()
  const calibration = calibrate()
  const io = processIo()
  const { loop, drain } = await lap(variant, log, 0, records)
  const ioAfter = processIo()
  return {
    figures: {
      loop: (loop * 1e6) / records,
      drain: (drain * 1e6) / records,
      ...(io && ioAfter && { bytes: (ioAfter.bytes - io.bytes) / records, writes: ioAfter.calls - io.calls }),
    },
    calibration: Math.max(calibration, calibrate()),
    stats: log.stats?.(),
    functions: undefined,
  }
}
