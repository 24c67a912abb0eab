/**
 * Measures sluice and other loggers. Each run is a process of its own, and the subjects take turns, so that a ratio
 * compares consecutive runs. A figure counts only if a checker has found each timed record, complete and in order.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { copyBuilds } from './builds.ts'
import { readCommandLine } from './command-line.ts'
import { planOf, type Measurement } from './plan.ts'
import { circumstances } from './report/circumstances.ts'
import { isValid, type Group } from './report/group.ts'
import { bestOf, isNoisy, noiseOf } from './report/noise.ts'
import { groupText, noiseText, profileText, subjectsText, targetsText } from './report/print.ts'
import { summaryText } from './report/print-summary.ts'
import { createProgress } from './report/progress.ts'
import { publish, resultsFile } from './report/publish.ts'
import { parseResults } from './report/results.ts'
import { createSaver } from './report/save.ts'
import { createRunner, type Runner } from './runner.ts'

const args = process.argv.slice(2)
const settings = readCommandLine(args)
const isSummary = !settings.full && settings.scenarios === undefined
const defaultRuns = settings.runs ?? (settings.scenarios === undefined ? 5 : 3)
if (settings.from === undefined) await run(planOf(settings))
else await report(settings.from)

async function run(plan: readonly Measurement[]): Promise<void> {
  if (plan.length === 0) {
    console.error('nothing to measure: no selected scenario has a selected variant')
    process.exit(2)
  }
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
  const progress = createProgress(plan.reduce((sum, { subjects, runs }) => sum + subjects.length * runs, 0))
  const folder = mkdtempSync(join(settings.folder ?? tmpdir(), 'sluice-bench-'))
  try {
    const buildOf = copyBuilds(folder, settings.baseline)
    const runner = createRunner(settings, { folder, signal: interrupted.signal }, buildOf, progress)
    console.log(`Node ${process.version} on ${availableParallelism()} x ${cpus()[0]?.model.trim()}\n`)
    if (settings.profile) await profileAll(plan, runner, progress.clear)
    else await measureAll(plan, runner, progress.clear)
  } catch (error) {
    progress.clear()
    console.error(interrupted.signal.aborted ? 'interrupted' : error)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureAll(plan: readonly Measurement[], runner: Runner, clear: () => void): Promise<void> {
  const groups: Group[] = []
  const file = settings.save ?? (settings.report ? resultsFile : undefined)
  const earlier = settings.resume === undefined ? undefined : parseResults(readFileSync(settings.resume, 'utf8'))
  const saver =
    file === undefined ? undefined : createSaver(file, circumstances(args, defaultRuns, plan.length, earlier))
  if (saver !== undefined) {
    const place = relative('', saver.partial)
    console.log(
      `Results so far: ${place}. Publish them with --report --from ${place}, or continue with --resume ${place}.\n`,
    )
  }
  for (const measurement of plan) {
    groups.push(
      earlier?.groups.find((group) => isAlreadyMeasured(group, measurement)) ?? (await runner.measure(measurement)),
    )
    saver?.save(groups)
    clear()
    if (!isSummary) console.log(`${await groupText(groups.at(-1)!, bestOf(groups))}\n`)
  }
  console.log(isSummary ? `${summaryText(groups)}\n` : `${await subjectsText(groups)}\n\n${targetsText(groups)}\n`)
  const noise = noiseOf(groups)
  console.log(`${isNoisy(noise) ? 'NOISY, measure again on a quieter machine: ' : ''}${noiseText(noise)}`)
  saver?.finish()
  if (groups.some(({ results }) => !results.every(isValid))) process.exitCode = 1
  if (settings.report) await report(file!)
}

function isAlreadyMeasured({ scenario, variant, results }: Group, measurement: Measurement): boolean {
  if (scenario !== measurement.scenario || variant !== measurement.variant) return false
  return measurement.subjects.every((name) => results.some(({ subject }) => subject === name))
}

async function profileAll(plan: readonly Measurement[], runner: Runner, clear: () => void): Promise<void> {
  for (const measurement of plan) {
    for (const subject of measurement.subjects) {
      const { run, file } = await runner.profile(measurement, subject)
      clear()
      console.log(`${measurement.scenario}, ${measurement.variant}, ${subject}:`)
      console.log(
        run.functions === undefined ? '  no profile' : `${profileText(run.functions)}\n  full profile: ${file}\n`,
      )
    }
  }
}

async function report(file: string): Promise<void> {
  try {
    await publish(file)
    console.log(`docs/benchmarks.md and its charts were generated from ${relative('', file)}`)
  } catch (error) {
    console.error(`could not write the report: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
