import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const here = import.meta.dirname
export const root: string = join(here, '../../..')
export const published: string = join(here, 'node_modules/pino')
/** A file that takes longer hangs. */
const mostMillis = 180_000

/** A file that is not run. */
export interface Exclusion {
  /** How often it calls `test`. */
  readonly tests: number
  readonly reason: string
}

/** A word on tests, by file and title. */
export type ByTest = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Which of pino's files are not run, and why. */
export const exclusions: Readonly<Record<string, Exclusion>> = read('exclusions.json')

/** Which tests are left out of files that are run, by file and title. */
export const excludedTests: ByTest = read('excluded-tests.json')

/** Which tests may fail, and what of pino's they ask for, by file and title. */
export const deviations: ByTest = read('deviations.json')

/** Which tests pino skips or has still to write, and why, by file and title. */
export const leftOut: ByTest = read('skipped.json')

/** What one test came to. */
export interface Outcome {
  readonly file: string
  readonly title: string
  readonly passed: boolean
  readonly error: string
  /** Where it was not run to its end, or nobody waited for what it came to. */
  readonly left?: 'skip' | 'todo' | 'fixme'
}

/** Where a copy of pino's package lies in which `pino.js` is another module. */
export interface Workshop {
  readonly directory: string
  remove(): void
}

/** Lays pino's package out with `main`, a path in this repository, in place of its own main file. */
export function layOut(main: string): Workshop {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-pino-'))
  cpSync(published, directory, { recursive: true })
  rmSync(join(directory, 'node_modules'), { recursive: true, force: true })
  // A folder of its own: one of the tests puts a package into it.
  const modules = join(directory, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(here, 'node_modules'))) {
    if (name !== '.bin' && name !== 'pino') symlinkSync(join(here, 'node_modules', name), join(modules, name))
  }
  symlinkSync(directory, join(modules, 'pino'))
  const source = `'use strict'\nmodule.exports = require(${JSON.stringify(join(root, main))})\n`
  writeFileSync(join(directory, 'pino.js'), source)
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** The test files of pino that Node's runner can run and that are not excluded, relative to its folder of tests. */
export function testFiles(): string[] {
  return readdirSync(join(published, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.test\.(?:js|mjs|ts)$/.test(path) && !Object.hasOwn(exclusions, path))
    .toSorted()
}

/** What else pino tests with, for other runners, relative to its folder of tests. */
export function otherFiles(): string[] {
  return readdirSync(join(published, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:spec|tst)\.[cm]?[jt]s$|^types\/.*\.ts$|^smoke\.js$/.test(path))
}

/** Runs a file in a process of its own. What it does not get to has failed. */
export async function outcomesOf({ directory }: Workshop, file: string): Promise<Outcome[]> {
  const { CI: _, ...env } = process.env
  const reporter = ['--test-reporter', join(here, 'reporter.js'), '--test-reporter-destination', 'stderr']
  const child = spawn(
    process.execPath,
    ['--test-force-exit', '--test-timeout=60000', ...reporter, join(directory, 'test', file)],
    {
      cwd: directory,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: mostMillis,
      killSignal: 'SIGKILL',
    },
  )
  return numbered(outcomesIn(await text(child.stderr), () => file))
}

/** What a reporter says of a test: as an outcome, with the path of its file where there are several. */
type Reported = Omit<Outcome, 'file'> & { readonly path?: string }

/** What a reporter has written, one outcome a line. */
export function outcomesIn(reported: string, fileOf: (path: string) => string): Outcome[] {
  const lines = reported.split('\n').filter((line) => line.startsWith('{"title":'))
  return lines.map((line) => {
    const outcome = JSON.parse(line) as Reported
    return Object.assign(outcome, { file: fileOf(outcome.path ?? '') })
  })
}

/** Titles that a file has more than once get a number. */
export function numbered(outcomes: readonly Outcome[]): Outcome[] {
  const seen = new Map<string, number>()
  return outcomes.map((outcome) => {
    const name = `${outcome.file}: ${outcome.title}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? outcome : { ...outcome, title: `${outcome.title} (${count})` }
  })
}

function read(name: string): never {
  return JSON.parse(readFileSync(join(here, name), 'utf8')) as never
}
