import { plain, tableOf } from '../../../scripts/markdown.ts'
import { deviations, excludedTests, exclusions, leftOut, type ByTest, type Outcome } from './suite.ts'

/** The counts of a run by file, in the order of the files. */
export function page(all: readonly Outcome[]): string {
  const outcomes = all.filter(({ left }) => left === undefined)
  const files = [...new Set(outcomes.map(({ file }) => file))]
  const passed = outcomes.filter((outcome) => outcome.passed).length
  const share = ((100 * passed) / outcomes.length).toFixed(1)
  return `# sluice/pino against pino's own tests

pino 10.4.0 publishes its tests with itself. \`npm run conformance:pino\` installs it by a lock, puts \`sluice/pino\` in the place
of its main file, and runs them; and its tests of types, with the declarations of \`sluice/pino\` in the place of its own: there each
assertion is a test, and so is whether a file compiles. It fails when a test that is not listed below fails or is not run, and when a
list says what is not so. This page is made by \`npm run conformance:pino -- --update\`.

**${passed} of ${outcomes.length} tests pass (${share} %).** What is left out was written down before the first run, what is for
other runners than Node's excepted (\`jest/\`, \`types/\`, \`smoke.js\`): that was listed later.

## Deviations

${table(['file', 'test', 'what it asks for, and what there is'], flat(deviations))}

## Passed, by file

${table(
  ['file', 'passed', 'tests'],
  files.map((file) => countsOf(file, outcomes)),
)}

## Not run, of files that are

${notRun(all)}

## Left out: files

The number of tests is how often a file calls \`test\`.

${table(
  ['file', 'tests', 'reason'],
  Object.entries(exclusions).map(([file, { tests, reason }]) => [file, String(tests), reason]),
)}

## Left out: single tests

${table(['file', 'test', 'reason'], flat(excludedTests))}
`
}

/** What pino itself skips, or has still to write. */
function notRun(all: readonly Outcome[]): string {
  const rows = all.filter(({ left }) => left !== undefined)
  if (rows.length === 0) return 'None: pino skips no test, and has none still to write, on this system.'
  return table(
    ['file', 'test', 'how', 'reason'],
    rows.map(({ file, title, left }) => [file, title, left!, leftOut[file]?.[title] ?? '']),
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
