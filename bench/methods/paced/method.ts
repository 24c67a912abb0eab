import { linesOf } from '../../run/check-lines.ts'
import { openDestination, openPipe } from '../../run/destination.ts'
import { runProcess } from '../../run/process.ts'
import { problemsOf } from '../burst/check.ts'
import type { Measured } from '../burst/measured.ts'
import type { Method } from '../method.ts'
import { pacedOf } from './paced-of.ts'

/** Logs at a steady rate in a separate process whose standard output is the destination. */
export const paced: Method = (bench) => async (job) => {
  const { to, records, warmUp, stallMillis } = pacedOf(job)
  const destination =
    stallMillis === undefined
      ? await openDestination[to](job, bench.folder)
      : await openPipe(job, bench.folder, { afterLines: warmUp + Math.ceil(records / 3), millis: stallMillis })
  const measured = await runProcess<Measured>(new URL('process.ts', import.meta.url), job, destination.fd, bench)
  const verdict = (await destination.verdict())!
  const { figures, stats, calibration } = measured
  return {
    figures: { ...figures, ...(stats && { lost: stats.lost }), missing: warmUp + records - verdict.lines },
    calibration,
    problems: problemsOf(measured, verdict, linesOf(job), undefined),
  }
}
