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

/** What one of the processes found. */
type Part = Pick<Run, 'figures' | 'problems'>

/**
 * Each run is two: a clock over one process, and a look at the system calls of another, because to look takes time. The
 * traced one is slower between two writes, so that a pipe's reader keeps up more easily than with the timed one.
 */
export const count: Method = (bench) => {
  const proofs = new Map<string, Promise<Verdict>>()
  let tracing: boolean | undefined

  /** Asked once, and if the answer is no, told. */
  function mayTrace(): boolean {
    if (tracing === undefined) {
      tracing = canTrace()
      if (!tracing) console.error('count: strace is missing or may not trace, so that no system calls are counted')
    }
    return tracing
  }

  /** For a destination that keeps nothing: what the same subject wrote of the same records to a file. */
  function proofOf(job: Job): Promise<Verdict> | undefined {
    if (countOf(job).to !== 'null') return undefined
    const key = JSON.stringify(job)
    const proof = proofs.get(key) ?? prove(job)
    proofs.set(key, proof)
    return proof
  }

  async function prove(job: Job): Promise<Verdict> {
    const { fd, verdict } = await openDestination.file(job, bench.folder)
    await runProcess<Measured>(program, job, fd, bench)
    return (await verdict())!
  }

  async function time(job: Job): Promise<Part & Pick<Run, 'calibration'>> {
    const proof = await proofOf(job)
    const { fd, verdict } = await openDestination[countOf(job).to](job, bench.folder)
    const measured = await runProcess<Measured>(program, job, fd, bench)
    const { figures, calibration } = measured
    return { figures, calibration, problems: problemsOfProcess(measured, await verdict(), proof, job) }
  }

  async function trace(job: Job): Promise<Part> {
    const proof = await proofOf(job)
    const { fd, verdict } = await openDestination[countOf(job).to](job, bench.folder)
    const { measured, writes } = await traceProcess(program, job, fd, bench)
    const found = await verdict()
    const problems = problemsOfProcess(measured, found, proof, job)
    const { bytes } = (found ?? proof)!
    if (writes.bytes !== bytes) problems.push(`strace saw ${writes.bytes} bytes written where ${bytes} arrived`)
    return { figures: figuresOf(writes, countOf(job).to), problems: problems.map((problem) => `traced: ${problem}`) }
  }

  return async (job): Promise<Run> => {
    const { figures, calibration, problems } = await time(job)
    // What a process counts of itself goes to other descriptors as well.
    const { writes: _, ...timed } = figures
    if (!mayTrace()) return { figures: timed, calibration, problems }
    const traced = await trace(tracedJobOf(job))
    return { figures: { ...timed, ...traced.figures }, calibration, problems: [...problems, ...traced.problems] }
  }
}

function problemsOfProcess(
  measured: Measured,
  verdict: Verdict | undefined,
  proof: Verdict | undefined,
  job: Job,
): string[] {
  return [...(proof?.problems ?? []), ...problemsOf(measured, verdict, linesOf(job), proof)]
}
