import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuildOf } from './builds.ts'
import type { Settings } from './command-line.ts'
import { methods, type MethodName } from './methods/index.ts'
import { nameOf, type Bench, type Job, type Run } from './methods/method.ts'
import type { Measurement } from './plan.ts'
import type { Group } from './report/group.ts'
import type { Progress } from './report/progress.ts'
import { withDifferences } from './report/differences.ts'
import { scenarioOf } from './scenarios/index.ts'
import type { SubjectName } from './subjects/index.ts'

/** Runs measurements, one process after the other. */
export function createRunner(settings: Settings, bench: Bench, buildOf: BuildOf, progress: Progress) {
  const runBy = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, method(bench)])) as Record<
    MethodName,
    (job: Job) => Promise<Run>
  >

  /** Measures in rounds. Each round begins with another subject. */
  async function measure(measurement: Measurement): Promise<Group> {
    const { scenario, variant } = measurement
    const results = measurement.subjects.map((subject) => ({ subject, runs: [] as Run[] }))
    for (let round = 0; round < measurement.runs; round++) {
      for (let turn = 0; turn < results.length; turn++) {
        const { subject, runs } = results[(round + turn) % results.length]!
        runs.push(await start(jobOf(measurement, subject)))
        progress.ended()
      }
    }
    return { scenario, variant, results: withDifferences(results, scenarioOf(scenario).difference) }
  }

  /** Profiles one run and saves the profile in a file. */
  async function profile(
    measurement: Measurement,
    subject: SubjectName,
  ): Promise<{ readonly run: Run; readonly file: string }> {
    const name = `${measurement.scenario}-${measurement.variant}-${subject}.cpuprofile`
    const file = join(settings.folder ?? tmpdir(), name)
    return { run: await start({ ...jobOf(measurement, subject), profile: file }), file }
  }

  function jobOf({ scenario, variant }: Measurement, subject: SubjectName): Job {
    // Enough records for some ten thousand samples of the profiler.
    const records = settings.records ?? (settings.profile ? 1_000_000 : undefined)
    return { scenario, variant, subject, records, build: buildOf(subject) }
  }

  async function start(job: Job): Promise<Run> {
    progress.next(nameOf(job))
    try {
      return await runBy[scenarioOf(job.scenario).method](job)
    } catch (error) {
      // A run that fails has no figures, but the others continue. An interrupt stops all of them.
      if (bench.signal.aborted) throw error
      return { figures: {}, calibration: NaN, problems: [String(error)] }
    }
  }

  return { measure, profile }
}

export type Runner = ReturnType<typeof createRunner>
