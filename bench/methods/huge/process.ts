/** The measured process: one subject and one record. The destination is a file, its standard output. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { calibrate } from '../../run/calibration.ts'
import { watchPeak } from '../../run/peak-memory.ts'
import { subjects } from '../../subjects/index.ts'
import type { Log } from '../../subjects/subject.ts'
import type { Job } from '../method.ts'
import { startHeartbeat } from './heartbeat.ts'
import { hugeOf } from './huge-of.ts'
import type { Measured } from './measured.ts'

const job = JSON.parse(process.argv[2]!) as Job
const { message } = hugeOf(job).expected()
const subject = await subjects[job.subject]()
// The line is longer, because of escapes and other fields.
process.send!(await measure(await subject.open({ capacityBytes: 2 * message.length }, job.build)))

async function measure(log: Log): Promise<Measured> {
  // Run once before, so that it is compiled.
  calibrate()
  const calibration = calibrate()
  const peakMemory = watchPeak()
  const start = performance.now()
  const heartbeat = startHeartbeat()
  log.text(message)
  // Wait for the end of the turn, because a program usually continues and does not flush at once.
  await nextTurn()
  await log.flush()
  const total = performance.now() - start
  const block = heartbeat.stop()
  return {
    figures: { block, total, memory: peakMemory() },
    calibration: Math.max(calibration, calibrate()),
    stats: log.stats?.(),
  }
}
