import { globSync, readFileSync } from 'node:fs'
import type { TestResult } from '../test-results.ts'

/** A class of attacks, and the tests that make them. */
export interface AttackClass {
  readonly class: string
  /** What the tests do and verify. */
  readonly checked: string
  /** Globs of test files, relative to the root of the repository. */
  readonly files: readonly string[]
  /** A regular expression that titles match; every title without it. */
  readonly titles?: string
}

/** What the tests of a class did in their last run. */
export interface ClassCounts {
  readonly passed: number
  readonly failed: number
  readonly inputs: number
}

export function readClasses(): AttackClass[] {
  return JSON.parse(readFileSync('scripts/security/classes.json', 'utf8')) as AttackClass[]
}

/** Counts the tests of a class and the generated inputs that they checked. */
export function countsOf(
  { files, titles = '' }: AttackClass,
  tests: readonly TestResult[],
  inputs: ReadonlyMap<string, ReadonlyMap<string, number>>,
): ClassCounts {
  const paths = new Set(files.flatMap((pattern) => globSync(pattern)))
  const expression = new RegExp(titles)
  const own = tests.filter(({ path, title }) => paths.has(path) && expression.test(title))
  return {
    passed: own.filter(({ status }) => status === 'passed').length,
    failed: own.filter(({ status }) => status === 'failed').length,
    inputs: own.reduce((sum, { path, title }) => sum + (inputs.get(path)?.get(title) ?? 0), 0),
  }
}
