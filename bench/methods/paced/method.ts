import { linesOf } from '../../run/check-lines.ts'
import { openOutlet, openPipe } from '../../run/outlet.ts'
import { runProcess } from '../../run/process.ts'
import { problemsOf } from '../burst/check.ts'
import type { Measured } from '../burst/measured.ts'
import type { Method } from '../method.ts'
import { pacedOf } from './paced-of.ts'

/** Logs at a steady rate, in a process of its own whose standard output is the destination. */
export const paced: Method = (bench) => async (job) => {
  const { to, records, warmUp, stallMillis } = pacedOf(job)
  const outlet =
    stallMillis === undefined
      ? await openOutlet[to](job, bench.folder)
      : await openPipe(job, bench.folder, { afterLines: warmUp + Math.ceil(records / 3), millis: stallMillis })
  const measured = await runProcess<Measured>(new URL('process.ts', import.meta.url), job, outlet.fd, bench)
  const verdict = (await outlet.verdict())!
  const { figures, ledger, calibration } = measured
  return {
    figures: { ...figures, ...(ledger && { lost: ledger.lost }), missing: warmUp + records - verdict.lines },
    calibration,
    problems: problemsOf(measured, verdict, linesOf(job), undefined),
  }
}
