import { openOutlet, type Destination } from '../../run/outlet.ts'
import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { runProcess } from '../../run/process.ts'
import { burstOf } from './burst-of.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { problemsOf } from './check.ts'
import type { Measured } from './measured.ts'

interface Ended {
  readonly measured: Measured
  readonly verdict: Verdict | undefined
}

/** Logs as fast as it can, in a process of its own whose standard output is the destination. */
export const burst: Method = (bench) => {
  const proofs = new Map<string, Verdict | undefined>()

  return async (job): Promise<Run> => {
    const lines = linesOf(job)
    const { to, expected } = burstOf(job)
    const problems: string[] = []
    // What goes to a destination that keeps nothing is written to a file first, and judged there.
    const key = `${job.scenario} ${job.variant} ${job.subject}`
    if (to === 'null' && expected !== undefined && !proofs.has(key)) {
      const { measured, verdict } = await start(job, 'file', bench)
      proofs.set(key, verdict)
      problems.push(...problemsOf(measured, verdict, lines, undefined))
    }
    const { measured, verdict } = await start(job, to, bench)
    problems.push(...problemsOf(measured, verdict, lines, proofs.get(key)))
    const { figures, calibration, functions } = measured
    return { figures, calibration, functions, problems }
  }
}

async function start(job: Job, to: Destination, bench: Bench): Promise<Ended> {
  const outlet = await openOutlet[to](job, bench.folder)
  const measured = await runProcess<Measured>(new URL('process.ts', import.meta.url), job, outlet.fd, bench)
  return { measured, verdict: await outlet.verdict() }
}
