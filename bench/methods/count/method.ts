import { openDestination } from '../../run/destination.ts'
import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { runProcess } from '../../run/process.ts'
import { problemsOf } from '../burst/check.ts'
import type { Measured } from '../burst/measured.ts'
import type { Job, Method, Run } from '../method.ts'
import { countOf, tracedJobOf } from './count-of.ts'
import { canTrace, traceProcess } from './strace.ts'
import { figuresOf } from './writes.ts'

const program = new URL('process.ts', import.meta.url)

/** The result of one of the processes. */
type Part = Pick<Run, 'figures' | 'problems'>

/**
 * Each run has two processes: one is timed, and the system calls of the other are traced, because tracing takes time. The traced
 * process is slower between writes, so the reader of a pipe keeps up more easily than with the timed one.
 */
export const count: Method = (bench) => {
  const fileVerdicts = new Map<string, Promise<Verdict>>()
  let tracing: boolean | undefined

  /** Checked once, and reported if tracing is not possible. */
  function mayTrace(): boolean {
    if (tracing === undefined) {
      tracing = canTrace()
      if (!tracing) console.error('count: system calls are not counted, because strace is missing or not permitted')
    }
    return tracing
  }

  /** For a destination that keeps nothing, the check of the same records of the same subject in a file. */
  function fileVerdictOf(job: Job): Promise<Verdict> | undefined {
    if (countOf(job).to !== 'null') return undefined
    const key = JSON.stringify(job)
    const fileVerdict = fileVerdicts.get(key) ?? checkInFile(job)
    fileVerdicts.set(key, fileVerdict)
    return fileVerdict
  }

  async function checkInFile(job: Job): Promise<Verdict> {
    const { fd, verdict } = await openDestination.file(job, bench.folder)
    await runProcess<Measured>(program, job, fd, bench)
    return (await verdict())!
  }

  async function time(job: Job): Promise<Part & Pick<Run, 'calibration'>> {
    const fileVerdict = await fileVerdictOf(job)
    const { fd, verdict } = await openDestination[countOf(job).to](job, bench.folder)
    const measured = await runProcess<Measured>(program, job, fd, bench)
    const { figures, calibration } = measured
    return { figures, calibration, problems: problemsOfProcess(measured, await verdict(), fileVerdict, job) }
  }

  async function trace(job: Job): Promise<Part> {
    const fileVerdict = await fileVerdictOf(job)
    const { fd, verdict } = await openDestination[countOf(job).to](job, bench.folder)
    const { measured, writes } = await traceProcess(program, job, fd, bench)
    const found = await verdict()
    const problems = problemsOfProcess(measured, found, fileVerdict, job)
    const { bytes } = (found ?? fileVerdict)!
    if (writes.bytes !== bytes) problems.push(`strace counted ${writes.bytes} written bytes, but ${bytes} arrived`)
    return { figures: figuresOf(writes, countOf(job).to), problems: problems.map((problem) => `traced: ${problem}`) }
  }

  return async (job): Promise<Run> => {
    const { figures, calibration, problems } = await time(job)
    // The counts of a process include writes to other descriptors.
    const { writes: _, ...timed } = figures
    if (!mayTrace()) return { figures: timed, calibration, problems }
    const traced = await trace(tracedJobOf(job))
    return { figures: { ...timed, ...traced.figures }, calibration, problems: [...problems, ...traced.problems] }
  }
}

function problemsOfProcess(
  measured: Measured,
  verdict: Verdict | undefined,
  fileVerdict: Verdict | undefined,
  job: Job,
): string[] {
  return [...(fileVerdict?.problems ?? []), ...problemsOf(measured, verdict, linesOf(job), fileVerdict)]
}
