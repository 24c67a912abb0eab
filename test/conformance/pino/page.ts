import { plain, tableOf } from '../../../scripts/markdown.ts'
import { deviations, excludedTests, exclusions, skippedTests, type ByTest, type Outcome } from './suite.ts'

/** Returns the text of docs/reference/pino.md for the outcomes of a run. */
export function page(all: readonly Outcome[]): string {
  const outcomes = all.filter(({ notRun }) => notRun === undefined)
  const files = [...new Set(outcomes.map(({ file }) => file))]
  const passed = outcomes.filter((outcome) => outcome.passed).length
  const share = ((100 * passed) / outcomes.length).toFixed(1)
  return `# pino's own tests

pino publishes its tests in its package. This page has the results of the tests of pino 10.4.0 with \`sluice/pino\`:

**${passed} of ${outcomes.length} tests pass (${share} %).**

\`npm run conformance:pino\` installs pino with a lock file, replaces its main file with \`sluice/pino\`, and runs its tests. The tests of types
run with the declarations of \`sluice/pino\`. In these, each assertion counts as a test, and so does each file that must compile. The command
fails if a test that is not listed below fails or is not run, or if a list is out of date. \`npm run conformance:pino -- --update\` writes this
page.

Excluded files and tests were listed before the first run, except those for other test runners than Node's (\`jest/\`, \`types/\`, \`smoke.js\`),
which were listed later.

## Deviations

${table(['file', 'test', 'difference'], flat(deviations))}

## Results by file

${table(
  ['file', 'passed', 'tests'],
  files.map((file) => countsOf(file, outcomes)),
)}

## Skipped tests

${skippedTable(all)}

## Excluded files

The number of tests is the number of calls of \`test\` in a file.

${table(
  ['file', 'tests', 'reason'],
  Object.entries(exclusions).map(([file, { tests, reason }]) => [file, String(tests), reason]),
)}

## Excluded tests

${table(['file', 'test', 'reason'], flat(excludedTests))}
`
}

/** Returns the tests that pino skips or marks as not yet written. */
function skippedTable(all: readonly Outcome[]): string {
  const rows = all.filter(({ notRun }) => notRun !== undefined)
  if (rows.length === 0) return 'None: on this system, pino skips no test and has no unwritten tests.'
  return table(
    ['file', 'test', 'how', 'reason'],
    rows.map(({ file, title, notRun }) => [file, title, notRun!, skippedTests[file]?.[title] ?? '']),
  )
}

function countsOf(file: string, outcomes: readonly Outcome[]): string[] {
  const own = outcomes.filter((outcome) => outcome.file === file)
  return [file, String(own.filter(({ passed }) => passed).length), String(own.length)]
}

function flat(byFile: ByTest): string[][] {
  return Object.entries(byFile).flatMap(([file, tests]) =>
    Object.entries(tests).map(([title, reason]) => [file, title, reason]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableOf([head, ...rows.map((row) => row.map(plain))])
}
