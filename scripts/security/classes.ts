import { globSync, readFileSync } from 'node:fs'
import type { TestResult } from '../test-results.ts'

/** A class of attacks, and the tests that perform them. */
export interface AttackClass {
  readonly class: string
  /** What the tests do and verify. */
  readonly checked: string
  /** Globs of test files, relative to the root of the repository. */
  readonly files: readonly string[]
  /** A regular expression that selects tests by title. All tests are selected when it is missing. */
  readonly titles?: string
}

/** The results of the tests of a class in their last run. */
export interface ClassCounts {
  readonly passed: number
  readonly failed: number
  readonly inputs: number
}

/** Reads the attack classes. */
export function readClasses(): AttackClass[] {
  return JSON.parse(readFileSync('scripts/security/classes.json', 'utf8')) as AttackClass[]
}

/** Counts the tests of a class by result, and the generated inputs that they checked. */
export function countsOf(
  { files, titles = '' }: AttackClass,
  tests: readonly TestResult[],
  inputs: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ClassCounts {
  const paths = new Set(files.flatMap((pattern) => globSync(pattern)))
  const titlePattern = new RegExp(titles)
  const ownTests = tests.filter(({ path, title }) => paths.has(path) && titlePattern.test(title))
  return {
    passed: ownTests.filter(({ status }) => status === 'passed').length,
    failed: ownTests.filter(({ status }) => status === 'failed').length,
    inputs: ownTests.reduce((sum, { path, title }) => sum + (inputs.get(path)?.get(title) ?? 0), 0),
  }
}
