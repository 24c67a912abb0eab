import { calibrate } from '../../run/calibration.ts'
import { linesOf, type Verdict } from '../../run/check-lines.ts'
import { openDestination } from '../../run/destination.ts'
import { scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import type { Job, Method, Run } from '../method.ts'
import { sumOf } from './cycles.ts'
import { runProgram } from './run-program.ts'
import type { Reported, Task } from './task.ts'

/** Starts a program and waits for its end: all that is not the program is done before or after it. */
export const program: Method = (bench) => {
  // Once before, so that it is compiled.
  calibrate()

  return async (job): Promise<Run> => {
    const task = taskOf(job)
    const destination = await openDestination.file(job, bench.folder)
    const calibration = calibrate()
    const { said, wall, cpu } = await runProgram(task, destination.fd, bench)
    const calibrationAfter = calibrate()
    const verdict = await destination.verdict()
    return {
      figures: {
        loop: (said.loop * 1e6) / task.cycles,
        drain: (said.drain * 1e6) / task.cycles,
        program: wall,
        ...(cpu !== undefined && { programCpu: cpu }),
      },
      calibration: Math.max(calibration, calibrationAfter),
      problems: problemsOf(task, said, verdict!),
    }
  }
}

function taskOf(job: Job): Task {
  const scenario: Scenario = scenarios[job.scenario]
  if (scenario.method !== 'program') throw new Error(`${job.scenario} is no program`)
  const { logs } = scenario.variants[job.variant]!
  return { subject: job.subject, build: job.build, logs, cycles: linesOf(job).records }
}

function problemsOf({ subject, cycles }: Task, { sum, stats }: Reported, verdict: Verdict): string[] {
  const problems = subject === 'none' ? problemsOfSilence(verdict) : [...verdict.problems]
  if (stats !== undefined && (stats.lost > 0 || stats.written !== cycles)) {
    problems.push(`its statistics have ${stats.written} written, ${stats.lost} lost, of ${cycles}`)
  }
  if (sum !== sumOf(cycles)) problems.push(`its work came to ${sum}`)
  return problems
}

/** Without logging there is nothing to check but that. */
const problemsOfSilence = ({ bytes }: Verdict): string[] => (bytes === 0 ? [] : [`${bytes} bytes without logging`])
