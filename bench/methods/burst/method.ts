import { openDestination, type Destination } from '../../run/destination.ts'
import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { runProcess } from '../../run/process.ts'
import type { Bench, Job, Method, Run } from '../method.ts'
import { burstOf } from './burst-of.ts'
import { problemsOf } from './check.ts'
import { addBend } from './linearity.ts'
import type { Measured } from './measured.ts'

interface Output {
  readonly measured: Measured
  readonly verdict: Verdict | undefined
}

/** Logs at full speed in a separate process whose standard output is the destination. */
export const burst: Method = (bench) => {
  const fileVerdicts = new Map<string, Verdict>()

  async function measure(job: Job): Promise<Run> {
    const lines = linesOf(job)
    const { to } = burstOf(job)
    const problems = await checkInFile(job)
    const { measured, verdict } = await start(job, to, bench)
    problems.push(...problemsOf(measured, verdict, lines, fileVerdicts.get(keyOf(job))))
    const { figures, calibration, functions } = measured
    return { figures, calibration, functions, problems }
  }

  /** For a destination that keeps nothing, the records are first written to a file and checked there. */
  async function checkInFile(job: Job): Promise<string[]> {
    const { to, expected, records, provenRecords = records } = burstOf(job)
    if (to !== 'null' || expected === undefined || fileVerdicts.has(keyOf(job))) return []
    const fileJob = { ...job, records: Math.min(records, provenRecords) }
    const { measured, verdict } = await start(fileJob, 'file', bench)
    // Fewer records are checked only if all lines have the same length.
    fileVerdicts.set(keyOf(job), { ...verdict!, bytes: verdict!.bytes * (records / fileJob.records) })
    return problemsOf(measured, verdict, linesOf(fileJob), undefined)
  }

  return async (job) => {
    const run = await measure(job)
    const { linearity } = burstOf(job)
    return linearity === undefined ? run : addBend(job, run, linearity, measure)
  }
}

const keyOf = ({ scenario, variant, subject }: Job): string => `${scenario} ${variant} ${subject}`

async function start(job: Job, to: Destination, bench: Bench): Promise<Output> {
  const destination = await openDestination[to](job, bench.folder)
  const measured = await runProcess<Measured>(new URL('process.ts', import.meta.url), job, destination.fd, bench)
  return { measured, verdict: await destination.verdict() }
}
