/**
 * Measures sluice beside its rivals: a process for each run, the subjects in turn, so that a ratio compares neighbours.
 * Nothing counts before a checker has found each timed record, whole and in order.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { copyBuilds } from './builds.ts'
import { readCommandLine } from './command-line.ts'
import { planOf, type Match } from './plan.ts'
import { circumstances } from './report/circumstances.ts'
import { isSound, type Group } from './report/group.ts'
import { bestOf, isNoisy, noiseOf } from './report/noise.ts'
import { groupText, noiseText, profileText, subjectsText, targetsText } from './report/print.ts'
import { createProgress } from './report/progress.ts'
import { publish, resultsFile } from './report/publish.ts'
import { parseResults } from './report/results.ts'
import { createSaver } from './report/save.ts'
import { createRunner, type Runner } from './runner.ts'

const args = process.argv.slice(2)
const settings = readCommandLine(args)
if (settings.from === undefined) await run(planOf(settings))
else await report(settings.from)

async function run(matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) {
    console.error('nothing to measure: no scenario asked for has a variant asked for')
    process.exit(2)
  }
  const interrupted = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
  const progress = createProgress(matches.reduce((sum, { subjects, runs }) => sum + subjects.length * runs, 0))
  const folder = mkdtempSync(join(settings.folder ?? tmpdir(), 'sluice-bench-'))
  try {
    const buildOf = copyBuilds(folder, settings.baseline)
    const runner = createRunner(settings, { folder, signal: interrupted.signal }, buildOf, progress)
    console.log(`Node ${process.version} on ${availableParallelism()} x ${cpus()[0]?.model.trim()}\n`)
    if (settings.profile) await profileAll(matches, runner, progress.clear)
    else await measureAll(matches, runner, progress.clear)
  } catch (error) {
    progress.clear()
    console.error(interrupted.signal.aborted ? 'interrupted' : error)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureAll(matches: readonly Match[], runner: Runner, clear: () => void): Promise<void> {
  const groups: Group[] = []
  const file = settings.save ?? (settings.report ? resultsFile : undefined)
  const saver = file === undefined ? undefined : createSaver(file, circumstances(args, settings.runs, matches.length))
  if (saver !== undefined) {
    const place = relative('', saver.partial)
    console.log(
      `until all is measured, ${place} has what is; --report --from ${place} draws it, --resume ${place} goes on\n`,
    )
  }
  const earlier = settings.resume === undefined ? [] : parseResults(readFileSync(settings.resume, 'utf8')).groups
  for (const match of matches) {
    groups.push(earlier.find((group) => answers(group, match)) ?? (await runner.measure(match)))
    saver?.save(groups)
    clear()
    console.log(`${await groupText(groups.at(-1)!, bestOf(groups))}\n`)
  }
  console.log(`${await subjectsText(groups)}\n\n${targetsText(groups)}\n`)
  const noise = noiseOf(groups)
  console.log(`${isNoisy(noise) ? 'NOISY, run it again on a quieter machine: ' : ''}${noiseText(noise)}`)
  saver?.finish()
  if (groups.some(({ results }) => !results.every(isSound))) process.exitCode = 1
  if (settings.report) await report(file!)
}

function answers({ scenario, variant, results }: Group, match: Match): boolean {
  if (scenario !== match.scenario || variant !== match.variant) return false
  return match.subjects.every((name) => results.some(({ subject }) => subject === name))
}

async function profileAll(matches: readonly Match[], runner: Runner, clear: () => void): Promise<void> {
  for (const match of matches) {
    for (const subject of match.subjects) {
      const { run, file } = await runner.profile(match, subject)
      clear()
      console.log(`${match.scenario}, ${match.variant}, ${subject}:`)
      console.log(
        run.functions === undefined ? '  has no profile' : `${profileText(run.functions)}\n  the whole: ${file}\n`,
      )
    }
  }
}

async function report(file: string): Promise<void> {
  try {
    await publish(file)
    console.log(`docs/benchmarks.md and its charts are drawn from ${relative('', file)}`)
  } catch (error) {
    console.error(`no report: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
