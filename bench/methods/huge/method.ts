import { openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../../run/process.ts'
import type { Job, Method, Run } from '../method.ts'
import type { Measured } from './measured.ts'

/** The argument of the checking process. */
export interface CheckJob extends Job {
  /** The log file. */
  readonly path: string
}

/** Logs one record and measures the event loop until it is written. */
export const huge: Method = (bench) => {
  const path = join(bench.folder, 'huge.log')

  async function check(job: Job): Promise<string[]> {
    const checkJob: CheckJob = { ...job, path }
    const nowhere = openSync('/dev/null', 'w')
    return runProcess<string[]>(new URL('check-process.ts', import.meta.url), checkJob, nowhere, bench)
  }

  return async (job): Promise<Run> => {
    try {
      const fd = openSync(path, 'a')
      const measured = await runProcess<Measured>(new URL('process.ts', import.meta.url), job, fd, bench)
      const problems = [...problemsOfStats(measured), ...(await check(job))]
      return { figures: measured.figures, calibration: measured.calibration, problems }
    } finally {
      // Delete it at once, so that most of it is never written to the disk, which is then idle in the next run.
      rmSync(path, { force: true })
    }
  }
}

function problemsOfStats({ stats }: Measured): string[] {
  if (stats === undefined || (stats.lost === 0 && stats.written === 1)) return []
  return [`its statistics have ${stats.written} written and ${stats.lost} lost of 1 record`]
}
