import { openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../../run/process.ts'
import type { Job, Method, Run } from '../method.ts'
import type { Measured } from './measured.ts'

/** What the checking process is told. */
export interface CheckJob extends Job {
  /** The file that was written. */
  readonly path: string
}

/** Logs one record, and watches the event loop until it is written. */
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
      // At once, so that most of it never reaches the disk and the next run finds it idle.
      rmSync(path, { force: true })
    }
  }
}

function problemsOfStats({ stats }: Measured): string[] {
  if (stats === undefined || (stats.lost === 0 && stats.written === 1)) return []
  return [`its statistics have ${stats.written} written, ${stats.lost} lost, of 1`]
}
