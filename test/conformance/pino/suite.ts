import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const here = import.meta.dirname
export const root: string = join(here, '../../..')
export const published: string = join(here, 'node_modules/pino')
/** The time after which a test file is considered to hang. */
const mostMillis = 180_000

/** A test file that is excluded. */
export interface Exclusion {
  /** The number of calls of `test` in the file. */
  readonly tests: number
  readonly reason: string
}

/** Reasons, by file and title of the test. */
export type ByTest = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The excluded test files of pino. */
export const exclusions: Readonly<Record<string, Exclusion>> = read('exclusions.json')

/** The excluded tests in files that are run. */
export const excludedTests: ByTest = read('excluded-tests.json')

/** The tests that are expected to fail, with the difference from pino. */
export const deviations: ByTest = read('deviations.json')

/** The tests that pino skips or marks as not yet written. */
export const skippedTests: ByTest = read('skipped.json')

/** The outcome of one test. */
export interface Outcome {
  readonly file: string
  readonly title: string
  readonly passed: boolean
  readonly error: string
  /** Set if the test was skipped, is not yet written, or is marked as broken. */
  readonly notRun?: 'skip' | 'todo' | 'fixme'
}

/** A copy of pino's package in which another module replaces `pino.js`. */
export interface PinoCopy {
  readonly directory: string
  remove(): void
}

/** Copies pino's package and replaces its main file by `main`, a path in this repository. */
export function createPinoCopy(main: string): PinoCopy {
  const directory = mkdtempSync(join(tmpdir(), 'sluice-pino-'))
  cpSync(published, directory, { recursive: true })
  rmSync(join(directory, 'node_modules'), { recursive: true, force: true })
  // A separate folder, because one of the tests adds a package to it.
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

/** Returns pino's test files for Node's test runner that are not excluded, relative to its test folder. */
export function testFiles(): string[] {
  return readdirSync(join(published, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.test\.(?:js|mjs|ts)$/.test(path) && !Object.hasOwn(exclusions, path))
    .toSorted()
}

/** Returns pino's test files for other test runners, relative to its test folder. */
export function otherFiles(): string[] {
  return readdirSync(join(published, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:spec|tst)\.[cm]?[jt]s$|^types\/.*\.ts$|^smoke\.js$/.test(path))
}

/** Runs a test file in a child process. Tests that it does not reach have no outcome. */
export async function outcomesOf({ directory }: PinoCopy, file: string): Promise<Outcome[]> {
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

/** The outcome of a test that a reporter writes, with the path of its file if the reporter runs several files. */
type Reported = Omit<Outcome, 'file'> & { readonly path?: string }

/** Parses the output of a reporter, which has one outcome per line. */
export function outcomesIn(reported: string, fileOf: (path: string) => string): Outcome[] {
  const lines = reported.split('\n').filter((line) => line.startsWith('{"title":'))
  return lines.map((line) => {
    const outcome = JSON.parse(line) as Reported
    return Object.assign(outcome, { file: fileOf(outcome.path ?? '') })
  })
}

/** Appends a number to titles that occur more than once in a file. */
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
