import { join } from 'node:path'
import { spread } from '../../report/statistics.ts'
import { calibrate } from '../../run/calibration.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { subjects } from '../../subjects/index.ts'
import type { Job, Method, Run } from '../method.ts'
import { problemsOfFirstLine } from './check.ts'
import { firstLineProgram } from './program.ts'
import { runProgram, type FirstLine } from './run-program.ts'
import type { FirstLineVariant } from './variant.ts'

/** Starts programs that log one line to a file, each in a new Node process. */
export const firstLine: Method =
  (bench) =>
  async (job): Promise<Run> => {
    const variant = firstLineOf(job)
    const { text, cwd } = firstLineProgram(job, variant.by)
    const run = (): Promise<FirstLine> =>
      runProgram(text, cwd, variant, join(bench.folder, 'first.log'), join(bench.folder, 'compile-cache'), bench)
    // The first program fills the file cache of the system and the compile cache.
    await run()
    calibrate()
    const calibration = calibrate()
    const all: FirstLine[] = []
    while (all.length < variant.starts) all.push(await run())
    const subject = await subjects[job.subject]()
    return {
      figures: {
        firstLine: spread(all.map(({ took }) => took)).median,
        // A mean, because the system counts in ticks of 10 ms.
        programCpu: all.reduce((sum, { cpu = NaN }) => sum + cpu, 0) / all.length,
      },
      calibration: Math.max(calibration, calibrate()),
      problems: [...new Set(all.flatMap((one) => problemsOfFirstLine(one, subject)))],
    }
  }

function firstLineOf({ scenario, variant }: Job): FirstLineVariant {
  const found: Scenario = scenarios[scenario]
  if (found.method !== 'first-line') throw new Error(`${scenario} does not use the method first-line`)
  return found.variants[variant]!
}
