import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { openDestination, type Destination } from '../../run/destination.ts'
import { runProcess } from '../../run/process.ts'
import { problemsOf } from '../burst/check.ts'
import type { Measured } from '../burst/measured.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import type { Allocated } from './measured.ts'
import { allocationJobOf, memoryOf } from './memory-of.ts'

const peakProcess = new URL('peak-process.ts', import.meta.url)
const allocationProcess = new URL('allocation-process.ts', import.meta.url)

/** Two processes per run: one measures the peak of a cold burst, the other counts the allocations of a warm call. */
export const memory: Method = (bench) => {
  const fileVerdicts = new Map<string, Verdict>()

  async function peak(job: Job): Promise<Run> {
    const { to } = memoryOf(job)
    const problems: string[] = []
    // For a destination that keeps nothing, the records are first written to a file and checked there.
    const key = `${job.scenario} ${job.variant} ${job.subject}`
    if (to === 'null' && !fileVerdicts.has(key)) {
      const { measured, verdict } = await start<Measured>(peakProcess, job, 'file', bench)
      fileVerdicts.set(key, verdict!)
      problems.push(...problemsOf(measured, verdict, linesOf(job), undefined))
    }
    const { measured, verdict } = await start<Measured>(peakProcess, job, to, bench)
    problems.push(...problemsOf(measured, verdict, linesOf(job), fileVerdicts.get(key)))
    const { figures, calibration } = measured
    return { figures, calibration, problems }
  }

  return async (job): Promise<Run> => {
    const run = await peak(job)
    const counted = allocationJobOf(job)
    // Always to a file, because the destination does not affect the allocations of a call.
    const { measured, verdict } = await start<Allocated>(allocationProcess, counted, 'file', bench)
    const problems = problemsOf(measured, verdict, linesOf(counted), undefined)
    if (measured.problem !== undefined) problems.push(measured.problem)
    return {
      figures: { ...run.figures, ...measured.figures },
      calibration: Math.max(run.calibration, measured.calibration),
      problems: [...run.problems, ...problems],
    }
  }
}

async function start<M>(program: URL, job: Job, to: Destination, bench: Bench) {
  const destination = await openDestination[to](job, bench.folder)
  const measured = await runProcess<M>(program, job, destination.fd, bench)
  return { measured, verdict: await destination.verdict() }
}
