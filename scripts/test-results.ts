import { existsSync, globSync, readFileSync } from 'node:fs'

/** The result of one test in the last run of its file. */
export interface TestResult {
  /** The test file, relative to the root of the repository. */
  readonly path: string
  /** The title, after the titles of the groups around it. */
  readonly title: string
  /** Jest's status: `passed`, `failed`, or `pending` for a skipped test. */
  readonly status: string
}

/** Reads what the last run of each test file wrote to temp/test-results. Deleted test files are skipped. */
export function readTestResults(): TestResult[] {
  return readFolder<{ path: string; tests: Omit<TestResult, 'path'>[] }>('temp/test-results').flatMap(
    ({ path, tests }) => tests.map((test) => ({ path, ...test })),
  )
}

/** Reads how many inputs each test checked, by test file and title, from temp/checked-inputs. */
export function readCheckedInputs(): Map<string, Map<string, number>> {
  const files = readFolder<{ path: string; inputs: Record<string, number> }>('temp/checked-inputs')
  return new Map(files.map(({ path, inputs }) => [path, new Map(Object.entries(inputs))]))
}

function readFolder<T extends { readonly path: string }>(directory: string): T[] {
  return globSync(`${directory}/*.json`)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as T)
    .filter(({ path }) => existsSync(path))
}
