import { openDestination, type Destination } from '../../run/destination.ts'
import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { runProcess } from '../../run/process.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { burstOf } from './burst-of.ts'
import { problemsOf } from './check.ts'
import { bendOf } from './line.ts'
import type { Measured } from './measured.ts'

interface Ended {
  readonly measured: Measured
  readonly verdict: Verdict | undefined
}

/** Logs as fast as it can, in a process of its own whose standard output is the destination. */
export const burst: Method = (bench) => {
  const proofs = new Map<string, Verdict>()

  async function measure(job: Job): Promise<Run> {
    const lines = linesOf(job)
    const { to } = burstOf(job)
    const problems = await prove(job)
    const { measured, verdict } = await start(job, to, bench)
    problems.push(...problemsOf(measured, verdict, lines, proofs.get(keyOf(job))))
    const { figures, calibration, functions } = measured
    return { figures, calibration, functions, problems }
  }

  /** What goes to a destination that keeps nothing is written to a file first, and judged there. */
  async function prove(job: Job): Promise<string[]> {
    const { to, expected, records, proven = records } = burstOf(job)
    if (to !== 'null' || expected === undefined || proofs.has(keyOf(job))) return []
    const proof = { ...job, records: Math.min(records, proven) }
    const { measured, verdict } = await start(proof, 'file', bench)
    // Fewer are proven only where all lines are of one length.
    proofs.set(keyOf(job), { ...verdict!, bytes: verdict!.bytes * (records / proof.records) })
    return problemsOf(measured, verdict, linesOf(proof), undefined)
  }

  return async (job) => {
    const run = await measure(job)
    const { line } = burstOf(job)
    return line === undefined ? run : bendOf(job, run, line, measure)
  }
}

const keyOf = ({ scenario, variant, subject }: Job): string => `${scenario} ${variant} ${subject}`

async function start(job: Job, to: Destination, bench: Bench): Promise<Ended> {
  const destination = await openDestination[to](job, bench.folder)
  const measured = await runProcess<Measured>(new URL('process.ts', import.meta.url), job, destination.fd, bench)
  return { measured, verdict: await destination.verdict() }
}
