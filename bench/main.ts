/**
 * Measures sluice beside its rivals: a process for each run, the subjects in turn, so that a ratio compares neighbours.
 * Nothing counts before a checker has found each record, whole and in order.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuildOf, copyBuilds } from './builds.ts'
import type { Verdict } from './check/lines.ts'
import { problemsOfRun } from './check/run.ts'
import { readCommandLine } from './command-line.ts'
import { planOf, type Match } from './plan.ts'
import { bestOf, isNoisy, noiseOf } from './report/noise.ts'
import { isSound, type Group } from './report/group.ts'
import { groupText, noiseText, profileText, subjectsText, targetsText } from './report/print.ts'
import { createProgress } from './report/progress.ts'
import type { Job, Measured } from './run/job.ts'
import { nameOf, run, type Run } from './run/run.ts'
import type { SubjectName } from './subjects/index.ts'

const settings = readCommandLine(process.argv.slice(2))
const matches = planOf(settings)
if (matches.length === 0) {
  console.error('nothing to measure: no scenario asked for writes to a destination asked for')
  process.exit(2)
}
const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())

const folder = mkdtempSync(join(settings.folder ?? tmpdir(), 'sluice-bench-'))
const progress = createProgress(matches.reduce((sum, { subjects }) => sum + subjects.length * settings.runs, 0))
const proofs = new Map<string, Verdict | undefined>()
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
  const { name, scenario, to, records } = match
  const results = match.subjects.map((subject) => ({ subject, runs: [] as Measured[], problems: [] as string[] }))
  for (const { subject, problems } of results) problems.push(...(await prove(match, jobOf(match, subject, buildOf))))
  for (let round = 0; round < settings.runs; round++) {
    for (let turn = 0; turn < results.length; turn++) {
      const { subject, runs, problems } = results[(round + turn) % results.length]!
      const job = jobOf(match, subject, buildOf)
      const ended = await start(job)
      progress.ended()
      runs.push(ended.measured)
      problems.push(...problemsOfRun(ended, job, scenario, proofs.get(proofKey(job))))
    }
  }
  return { scenario: name, to, records, results }
}

/** What goes to a destination that keeps nothing is written to a file first, and judged there. */
async function prove({ scenario }: Match, job: Job): Promise<string[]> {
  if (job.to !== 'null' || scenario.expected === undefined) return []
  const proof: Job = { ...job, to: 'file' }
  const ended = await start(proof)
  proofs.set(proofKey(job), ended.verdict)
  return problemsOfRun(ended, proof, scenario, undefined)
}

async function profileAll(buildOf: BuildOf): Promise<void> {
  for (const match of matches) {
    for (const subject of match.subjects) {
      // Long enough for ten thousand samples or so.
      const records = settings.records ?? match.records * 10
      const profile = join(settings.folder ?? tmpdir(), `${match.name}-${match.to}-${subject}.cpuprofile`)
      const { measured } = await start({ ...jobOf(match, subject, buildOf), records, profile })
      progress.clear()
      console.log(
        `${match.name} to ${match.to}, ${subject}: loop ${measured.loop.toFixed(0)} ns, drain ${measured.drain.toFixed(0)} ns`,
      )
      console.log(`${profileText(measured.profile!)}\n  the whole profile: ${profile}\n`)
    }
  }
}

function jobOf({ name, to, records }: Match, subject: SubjectName, buildOf: BuildOf): Job {
  return { scenario: name, to, subject, records, build: buildOf(subject) }
}

function start(job: Job): Promise<Run> {
  progress.next(nameOf(job))
  return run(job, folder, interrupted.signal)
}

function proofKey({ scenario, subject }: Job): string {
  return `${scenario} ${subject}`
}
