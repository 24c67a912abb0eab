/**
 * Measures sluice beside its rivals: a process for each run, the subjects in turn, so that a ratio compares neighbours.
 * Nothing counts before a checker has found each record, whole and in order.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildOf, copyBuilds } from './builds.ts'
import { readCommandLine } from './command-line.ts'
import { methods, type MethodName } from './methods/index.ts'
import { nameOf, type Job, type Run } from './methods/method.ts'
import { planOf, type Match } from './plan.ts'
import { isSound, type Group } from './report/group.ts'
import { bestOf, isNoisy, noiseOf } from './report/noise.ts'
import { groupText, noiseText, profileText, subjectsText, targetsText } from './report/print.ts'
import { createProgress } from './report/progress.ts'
import { scenarioOf } from './scenarios/index.ts'
import type { SubjectName } from './subjects/index.ts'

const settings = readCommandLine(process.argv.slice(2))
const matches = planOf(settings)
if (matches.length === 0) {
  console.error('nothing to measure: no scenario asked for has a variant asked for')
  process.exit(2)
}
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())

const folder = mkdtempSync(join(settings.folder ?? tmpdir(), 'sluice-bench-'))
const progress = createProgress(matches.reduce((sum, { subjects }) => sum + subjects.length * settings.runs, 0))
const runBy = Object.fromEntries(
  Object.entries(methods).map(([name, method]) => [name, method({ folder, signal: interrupted.signal })]),
) as Record<MethodName, (job: Job) => Promise<Run>>
try {
  const buildOf = copyBuilds(folder, settings.baseline)
  console.log(`Node ${process.version} on ${availableParallelism()} x ${cpus()[0]?.model.trim()}\n`)
  if (settings.profile) await profileAll(buildOf)
  else await measureAll(buildOf)
} catch (error) {
  progress.clear()
  console.error(interrupted.signal.aborted ? 'interrupted' : error)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measureAll(buildOf: BuildOf): Promise<void> {
  const groups: Group[] = []
  for (const match of matches) {
    groups.push(await measure(match, buildOf))
    progress.clear()
    console.log(`${await groupText(groups.at(-1)!, bestOf(groups))}\n`)
  }
  console.log(`${await subjectsText(groups)}\n\n${targetsText(groups)}\n`)
  const noise = noiseOf(groups)
  console.log(`${isNoisy(noise) ? 'NOISY, run it again on a quieter machine: ' : ''}${noiseText(noise)}`)
  if (groups.some(({ results }) => !results.every(isSound))) process.exitCode = 1
}

/** Round after round, and in each round another subject is the first. */
async function measure(match: Match, buildOf: BuildOf): Promise<Group> {
  const { scenario, variant } = match
  const results = match.subjects.map((subject) => ({ subject, runs: [] as Run[] }))
  for (let round = 0; round < settings.runs; round++) {
    for (let turn = 0; turn < results.length; turn++) {
      const { subject, runs } = results[(round + turn) % results.length]!
      runs.push(await start(jobOf(match, subject, buildOf)))
      progress.ended()
    }
  }
  return { scenario, variant, results }
}

async function profileAll(buildOf: BuildOf): Promise<void> {
  for (const match of matches) {
    for (const subject of match.subjects) {
      const name = `${match.scenario}-${match.variant}-${subject}.cpuprofile`
      const profile = join(settings.folder ?? tmpdir(), name)
      const { functions } = await start({ ...jobOf(match, subject, buildOf), profile })
      progress.clear()
      console.log(`${match.scenario}, ${match.variant}, ${subject}:`)
      console.log(functions === undefined ? '  has no profile' : `${profileText(functions)}\n  the whole: ${profile}\n`)
    }
  }
}

function jobOf({ scenario, variant }: Match, subject: SubjectName, buildOf: BuildOf): Job {
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
    if (interrupted.signal.aborted) throw error
    return { figures: {}, calibration: NaN, problems: [String(error)] }
  }
}
