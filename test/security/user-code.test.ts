import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { runChild } from '../support/child.ts'
import { modes, type Mode } from './user-code/modes.ts'
import { places } from './user-code/places.ts'

interface Outcome {
  readonly place: string
  readonly mode: Mode
  readonly thrown?: string
  readonly unhandled: readonly string[]
  readonly arrived: readonly string[]
  readonly lost?: number
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/reference/user-code.md'), 'utf8')
const outcomes = new Map<string, Outcome>()

beforeAll(async () => {
  const program = fileURLToPath(new URL('./user-code/program.ts', import.meta.url))
  const { stdout, code } = await runChild({ args: [program], timeoutMillis: 170_000 })
  expect(code).toBe(0)
  for (const line of stdout.trimEnd().split('\n')) {
    const outcome = JSON.parse(line) as Outcome
    outcomes.set(`${outcome.place}/${outcome.mode}`, outcome)
  }
}, 180_000)

const cases = places.flatMap((place) => (Object.keys(modes) as Mode[]).map((mode) => ({ place, mode })))

describe('code of users', () => {
  test.each(cases.map(({ place, mode }) => [place.name, mode] as const))(
    'in %s that %s neither ends the process nor stops logging',
    (name, mode) => {
      const outcome = outcomes.get(`${name}/${mode}`)!
      expect(outcome).toMatchObject({ unhandled: [] })
      expect(outcome.thrown).toBeUndefined()
      const place = places.find((each) => each.name === name)!
      // One batch is in flight at a time: behind an exporter that never answers, records are queued.
      if (mode === 'never answers' && place.delivers) return
      expect(outcome.arrived).toContain('use-2')
    },
  )

  const failing = [
    'throws',
    'rejects',
    'rejects later',
    'returns a thenable that rejects',
    'returns a thenable that throws',
  ]
  const counted = places.filter(({ delivers }) => delivers).flatMap(({ name }) => failing.map((mode) => [name, mode]))
  test.each(counted)('in %s that %s has its records counted as lost', (name, mode) => {
    const { arrived, lost } = outcomes.get(`${name}/${mode}`)!
    expect(arrived.includes('use-0') ? 1 : lost).toBeGreaterThan(0)
  })
})

describe('the table of places', () => {
  test('has a row for each place that is tested, and no other', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `'))
    const names = rows.map((row) => row.split('|')[1]!.trim().replaceAll('`', ''))
    expect(names.toSorted()).toEqual([...places.map(({ name }) => name), ...untested].toSorted())
  })

  test('has a place for each function that an option or an interface of users has', () => {
    const found = functionsOfUsers()
    const known = new Set([...places.flatMap(({ members }) => members), ...elsewhere.keys()])
    expect(found.filter((name) => !known.has(name))).toEqual([])
    expect([...known].filter((name) => !found.includes(name))).toEqual([])
  })
})

/** Rows of the table for what no test in this file runs, because tests of its own do. */
const untested: readonly string[] = []

/** Functions of options and interfaces that no place of this file runs, and the test that does, or why none has to. */
const elsewhere = new Map([
  ...names(
    'OutputOptions.onProblem LineTransportOptions.onProblem PassthroughOptions.onProblem',
    'one reporter for all',
  ),
  ...names(
    'CoreLoggerOptions.onProblem LoggerProviderOptions.onProblem IntakeOptions.onProblem',
    'one reporter for all',
  ),
  ...names('LoggerProviderOptions.clock', 'the clock of loggers'),
  ...names('BrowserOptions.transmit FormatterOptions.bindings LoggerOptions.levelComparison', 'test/bridges/pino'),
  ...names('JsonOptions.replacer TimestampOptions.format LoggerOptions.exitOnError', 'test/bridges/winston'),
  ...names('TextStream.on TextStream.once TextStream.removeListener TextStream.getColorDepth', 'test/console'),
  ...names('RequestLogOptions.level RequestLogOptions.attributes RequestLogOptions.trustRequestId', 'test/http'),
  ...names('RequestLogOptions.generateRequestId RequestLogOptions.ignore RequestLogOptions.sample', 'test/http'),
  ...names('ResolvedOptions.serializers ResolvedOptions.time ResolvedOptions.onChild', 'internal'),
  ...names('ResolvedOptions.onProblem FdWriterOptions.open FdWriterOptions.course FdWriterOptions.retire', 'internal'),
  ...names('WriteTargetOptions.open WriteTargetOptions.now WriteTargetOptions.retire', 'internal'),
  ...names('ProviderHandlerOptions.tell StacktraceOptions.cover StacktraceOptions.render', 'internal'),
  ...names('StacktraceOptions.read', 'internal'),
])

function names(all: string, why: string): (readonly [string, string])[] {
  return all.split(' ').map((name) => [name, why] as const)
}

/** Options, and what users implement. */
const ofUsers = /^export interface (\w*Options|Exporter|TextStream|OtelLogRecordExporter|OtelLogRecordProcessor)\b/
/** A method, or a member of a function's type. */
const functionMember =
  /^ {2}(?:readonly )?(\w+)\??(?:\(|:.*(?:=>|\b(?:OnProblem|Censor|Serializers?|TimeFn|LoggerConfigurator|HeaderOption|typeof globalThis)\b))/

/** Names as `Interface.member` of all functions in exported interfaces that users implement. */
function functionsOfUsers(): string[] {
  const found = new Set<string>()
  for (const file of sourceFiles(join(root, 'src'))) {
    let current: string | undefined
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      if (line.startsWith('}')) current = undefined
      current = ofUsers.exec(line)?.[1] ?? current
      const name = current === undefined ? undefined : functionMember.exec(line)?.[1]
      if (name !== undefined) found.add(`${current}.${name}`)
    }
  }
  return [...found]
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? sourceFiles(path) : path.endsWith('.ts') ? [path] : []
  })
}
