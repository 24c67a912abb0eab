import { plain, tableOf } from '../../../scripts/markdown.ts'
import { deviations, excludedTests, exclusions, type Outcome } from './suite.ts'

/** The counts of a run by file, in the order of the files. */
export function page(outcomes: readonly Outcome[]): string {
  const files = [...new Set(outcomes.map(({ file }) => file))]
  const passed = outcomes.filter((outcome) => outcome.passed).length
  const share = ((100 * passed) / outcomes.length).toFixed(1)
  return `# sluice/pino against pino's own tests

pino 10.4.0 publishes its tests with itself. \`npm run conformance:pino\` installs it by a lock, puts \`sluice/pino\` in the place
of its main file, and runs them. It fails when a test that is not listed below fails. This page is made by
\`npm run conformance:pino -- --update\`.

**${passed} of ${outcomes.length} tests pass (${share} %).** What is left out was written down before the first run, files for
other runners than Node's excepted (\`jest/\`, \`types/\`, \`smoke.js\`): those were listed later.

## Deviations

${table(['file', 'test', 'what it asks for, and what there is'], flat(deviations))}

## Passed, by file

${table(
  ['file', 'passed', 'tests'],
  files.map((file) => countsOf(file, outcomes)),
)}

## Left out: files

${table(
  ['file', 'tests', 'reason'],
  Object.entries(exclusions).map(([file, { tests, reason }]) => [file, String(tests), reason]),
)}

## Left out: single tests

${table(['file', 'test', 'reason'], flat(excludedTests))}
`
}

function countsOf(file: string, outcomes: readonly Outcome[]): string[] {
  const own = outcomes.filter((outcome) => outcome.file === file)
  return [file, String(own.filter(({ passed }) => passed).length), String(own.length)]
}

function flat(byFile: Readonly<Record<string, Readonly<Record<string, string>>>>): string[][] {
  return Object.entries(byFile).flatMap(([file, tests]) =>
    Object.entries(tests).map(([title, reason]) => [file, title, reason]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableOf([head, ...rows.map((row) => row.map(plain))])
}
