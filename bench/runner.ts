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

/** Runs what a plan asks for, one process after the other. */
export function createRunner(settings: Settings, bench: Bench, buildOf: BuildOf, progress: Progress) {
  const runBy = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, method(bench)])) as Record<
    MethodName,
    (job: Job) => Promise<Run>
  >

  /** Round after round, and in each round another subject is the first. */
  async function measure(match: Measurement): Promise<Group> {
    const { scenario, variant } = match
    const results = match.subjects.map((subject) => ({ subject, runs: [] as Run[] }))
    for (let round = 0; round < match.runs; round++) {
      for (let turn = 0; turn < results.length; turn++) {
        const { subject, runs } = results[(round + turn) % results.length]!
        runs.push(await start(jobOf(match, subject)))
        progress.ended()
      }
    }
    return { scenario, variant, results: withDifferences(results, scenarioOf(scenario).above) }
  }

  /** One run, whose profile is kept in a file. */
  async function profile(
    match: Measurement,
    subject: SubjectName,
  ): Promise<{ readonly run: Run; readonly file: string }> {
    const name = `${match.scenario}-${match.variant}-${subject}.cpuprofile`
    const file = join(settings.folder ?? tmpdir(), name)
    return { run: await start({ ...jobOf(match, subject), profile: file }), file }
  }

  function jobOf({ scenario, variant }: Measurement, subject: SubjectName): Job {
    // A profile is to have ten thousand samples or so.
    const records = settings.records ?? (settings.profile ? 1_000_000 : undefined)
    return { scenario, variant, subject, records, build: buildOf(subject) }
  }

  async function start(job: Job): Promise<Run> {
    progress.next(nameOf(job))
    try {
      return await runBy[scenarioOf(job.scenario).method](job)
    } catch (error) {
      // One that breaks down costs its own figures and no others; whoever is interrupted wants none.
      if (bench.signal.aborted) throw error
      return { figures: {}, calibration: NaN, problems: [String(error)] }
    }
  }

  return { measure, profile }
}

export type Runner = ReturnType<typeof createRunner>
