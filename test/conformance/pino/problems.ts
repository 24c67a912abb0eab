import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTests } from './count-tests.ts'
import {
  deviations,
  excludedTests,
  exclusions,
  skippedTests,
  otherFiles,
  published,
  type ByTest,
  type Outcome,
} from './suite.ts'
import { typeTestFiles } from './type-tests.ts'

/** Returns the differences between the lists and the outcomes of all tests, including excluded tests. */
export function problemsOf(outcomes: readonly Outcome[]): string[] {
  const counted = outcomes.filter((outcome) => !isListed(excludedTests, outcome))
  return [
    ...counted.filter(isUnexpected).map((outcome) => `${nameOf(outcome)}: ${outcome.error}`),
    ...counted
      .filter((outcome) => outcome.notRun !== undefined && !isListed(skippedTests, outcome))
      .map((outcome) => `${nameOf(outcome)}: it was not run (${outcome.notRun}) and is not listed in skipped.json`),
    ...outdatedEntries(
      deviations,
      counted,
      'a deviation, but it does not fail',
      (outcome) => outcome?.passed === false,
    ),
    ...outdatedEntries(skippedTests, counted, 'not run, but it was run', (outcome) => outcome?.notRun !== undefined),
    ...outdatedEntries(
      excludedTests,
      outcomes,
      'excluded, but there is no such test',
      (outcome) => outcome !== undefined,
    ),
    ...wrongCounts(),
    ...unlisted(),
  ]
}

/** Returns whether a test was run and failed without being listed as a deviation. */
export function isUnexpected(outcome: Outcome): boolean {
  return outcome.notRun === undefined && !outcome.passed && !isListed(deviations, outcome)
}

/** Returns whether a list contains a test. */
export function isListed(list: ByTest, { file, title }: Outcome): boolean {
  return list[file]?.[title] !== undefined
}

function nameOf({ file, title }: Outcome): string {
  return `${file}: ${title}`
}

function outdatedEntries(
  list: ByTest,
  outcomes: readonly Outcome[],
  what: string,
  isSo: (outcome: Outcome | undefined) => boolean,
): string[] {
  return Object.entries(list).flatMap(([file, tests]) =>
    Object.keys(tests)
      .filter((title) => !isSo(outcomes.find((each) => each.file === file && each.title === title)))
      .map((title) => `${file}: ${title}: it is listed as ${what}`),
  )
}

function wrongCounts(): string[] {
  return Object.entries(exclusions).flatMap(([file, { tests }]) => {
    const path = join(published, 'test', file)
    if (!existsSync(path)) return [`${file}: it is listed as excluded, but there is no such file`]
    const found = countTests(readFileSync(path, 'utf8'), file)
    return found === tests ? [] : [`${file}: it is listed with ${tests} tests, but has ${found}`]
  })
}

function unlisted(): string[] {
  const run = typeTestFiles()
  const others = otherFiles().filter((file) => !run.includes(file) && !Object.hasOwn(exclusions, file))
  return others.map((file) => `${file}: it is neither run nor listed as excluded`)
}
