import { afterAll, expect, test } from '@jest/globals'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyBuilds } from '../../bench/builds.ts'
import { parseDiagnostics, problemsOfOutput } from '../../bench/methods/types/diagnostics.ts'
import { types } from '../../bench/methods/types/method.ts'
import { typesProgram } from '../../bench/methods/types/program.ts'
import { needs } from '../support/needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sluice-'))
const withBuild = needs('a build (npm run build)', existsSync(join(root, 'dist/esm/index.d.ts')))

afterAll(() => rmSync(folder, { recursive: true }))

const output = `Files:                         254
Types:                         228
Instantiations:                307
Memory used:               105193K
Check time:                  0.11s
printTime time:              0.00s
Total time:                  5.98s
`

test('the figures of a compiler are read from its diagnostics', () => {
  expect(parseDiagnostics(output)).toEqual({
    checkTime: 110,
    totalTime: 5980,
    types: 228,
    instantiations: 307,
    memory: 105.193,
  })
  expect(problemsOfOutput(output)).toEqual([])
})

test('a compilation with errors or without figures is invalid', () => {
  const error = "program.mts(1,30): error TS2307: Cannot find module 'sluice'."
  expect(problemsOfOutput(`${error}\n${output}`)).toEqual([error])
  expect(problemsOfOutput('')).toEqual(['the compiler reported no figures'])
  expect(problemsOfOutput(output.replace('0.11s', ''))).toEqual(['the compiler reported no figures'])
})

test.each(['sluice', 'baseline', 'pino-sync', 'winston'] as const)(
  'the program of %s has the same number of calls of each of ten kinds',
  (subject) => {
    const statements = typesProgram(subject, 1_000).match(/^ {2}.*\blog\..*$/gm)!
    expect(statements).toHaveLength(1_000)
    for (const kind of ["'message ", '%s took', '{ order: ', 'log.child', 'try {', 'debug'])
      expect(statements.filter((statement) => statement.includes(kind))).toHaveLength(100)
  },
)

test('a program with another number of calls than a multiple of ten is an error', () => {
  expect(() => typesProgram('sluice', 15)).toThrow('not a multiple of 10')
  expect(() => typesProgram('bunyan', 10)).toThrow('the subject bunyan has no program')
})

withBuild(
  'the method compiles the program of a build, and counts what the compiler creates for its calls',
  async () => {
    const measure = types({ folder, signal: new AbortController().signal })
    const job = {
      scenario: 'types',
      variant: 'TypeScript 7',
      subject: 'sluice',
      build: copyBuilds(folder, undefined)('sluice'),
    } as const
    const [few, many] = [await measure({ ...job, records: 10 }), await measure({ ...job, records: 100 })]
    expect([few.problems, many.problems]).toEqual([[], []])
    expect(few.figures.instantiations).toBeGreaterThan(0)
    expect(many.figures.instantiations).toBeGreaterThan(few.figures.instantiations!)
    expect(few.figures.typeCheck).toBeGreaterThan(0)
  },
)
