import { calibrate } from '../../run/calibration.ts'
import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { openDestination } from '../../run/destination.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job, Method, Run } from '../method.ts'
import { sumOf } from './cycles.ts'
import { runProgram } from './run-program.ts'
import type { ProgramReport, Task } from './task.ts'

/** Starts a program and waits for its exit. All other work is done before or afterwards. */
export const program: Method = (bench) => {
  // Run once before, so that it is compiled.
  calibrate()

  return async (job): Promise<Run> => {
    const task = taskOf(job)
    const destination = await openDestination.file(job, bench.folder)
    const calibration = calibrate()
    const { report, wall, cpu } = await runProgram(task, destination.fd, bench)
    const calibrationAfter = calibrate()
    const verdict = await destination.verdict()
    return {
      figures: {
        loop: (report.loop * 1e6) / task.cycles,
        drain: (report.drain * 1e6) / task.cycles,
        program: wall,
        ...(cpu !== undefined && { programCpu: cpu }),
      },
      calibration: Math.max(calibration, calibrationAfter),
      problems: problemsOf(task, report, verdict!),
    }
  }
}

function taskOf(job: Job): Task {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'program') throw new Error(`${job.scenario} does not use the method program`)
  const { logs } = scenario.variants[job.variant]!
  return { subject: job.subject, build: job.build, logs, cycles: linesOf(job).records }
}

function problemsOf({ subject, cycles }: Task, { sum, stats }: ProgramReport, verdict: Verdict): string[] {
  const problems = subject === 'none' ? problemsOfSilence(verdict) : [...verdict.problems]
  if (stats !== undefined && (stats.lost > 0 || stats.written !== cycles)) {
    problems.push(`its statistics have ${stats.written} written and ${stats.lost} lost of ${cycles} records`)
  }
  if (sum !== sumOf(cycles)) problems.push(`the result of its work is ${sum}`)
  return problems
}

/** Without logging, the log file must be empty. */
const problemsOfSilence = ({ bytes }: Verdict): string[] =>
  bytes === 0 ? [] : [`${bytes} bytes were written without logging`]
