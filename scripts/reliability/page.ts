import { plain, tableOf } from '../markdown.ts'
import { matrixPath, type FaultRow } from './matrix.ts'
import type { PeerRun } from './peers.ts'
import type { TestResult } from '../test-results.ts'
import type { TestsByRow } from './tests-by-row.ts'

/** The maximum number of test titles per file in a row. */
const maxTitles = 5

/** Returns the text of docs/reference/reliability.md. */
export function pageOf(matrix: readonly FaultRow[], byRow: TestsByRow, peers: PeerRun | undefined): string {
  const head = ['row', 'fault', 'how it is caused', 'result']
  const lines = matrix.map((row) => [row.row, row.fault, row.how, resultOf(row, byRow.get(row.row) ?? [])])
  const parts = [introduction, '## Faults and test results', tableOf([head, ...lines])]
  if (peers !== undefined) parts.push(peerIntroduction(peers), peerTable(peers), setupTable(peers))
  return `${parts.join('\n\n')}\n`
}

const introduction = `# Reliability

This page lists the faults that can occur between a program and the destination of its records, and the tests that show that this
package survives them. No fault may cause an exception in the program, block its event loop, use unlimited memory, or omit a
record from the [delivery statistics](exporters.md#delivery-statistics).

Rows 1 to 27, 45 and 46 are tested with whole processes:

- Each record contains its run, process, sequence number and a hash.
- The process reports its delivery statistics over a separate pipe.
- A reader outside the process compares the sink with these statistics.
- The records in the sink are those that were counted as written. They are complete and in order.
- Missing records were counted, and were reported in the stream or on standard error.

\`npm run reliability\` generates this page from the results of the last \`npm test\` and \`npm run e2e\`, and from
\`${matrixPath}\`. A comment above each test lists the rows that it proves. **Open** marks rows that no test proves yet.`

function resultOf({ note, open }: FaultRow, tests: readonly TestResult[]): string {
  const passed = tests.filter(({ status }) => status === 'passed')
  const failed = tests.filter(({ status }) => status === 'failed')
  const others = tests.filter((test) => !passed.includes(test) && !failed.includes(test))
  return [
    ...(failed.length > 0 ? [`**Fails:** ${namesOf(failed)}`] : []),
    ...(passed.length > 0 ? [`Passes: ${namesOf(passed)}`] : []),
    ...(others.length > 0 ? [`Skipped: ${namesOf(others)}`] : []),
    ...(open === true ? ['**Open**'] : []),
    ...(note === undefined ? [] : [note]),
  ].join('<br>')
}

function namesOf(tests: readonly TestResult[]): string {
  const paths = [...new Set(tests.map(({ path }) => path))]
  const files = paths.map((path) => {
    const titles = [...new Set(tests.filter((test) => test.path === path).map(({ title }) => title))]
    const more = titles.length > maxTitles ? ` and ${titles.length - maxTitles} more` : ''
    return `[${path.slice('test/'.length)}](../../${path}): ${titles.slice(0, maxTitles).map(plain).join('; ')}${more}`
  })
  return files.join('<br>')
}

function peerIntroduction({ node }: PeerRun): string {
  return `## Comparison with other loggers

\`npm run faults:peers\` runs the same processes, faults and checks with other loggers. These results are from Node ${node}.

A logger without delivery statistics passes a row when all of its records are in the sink. Where the fault makes that impossible,
it passes when it reports the loss: on standard error, by an event or by a rejection.

✓ means that the logger passed. Other cells list what went wrong. The figures are from one run.`
}

function peerTable({ subjects, rows }: PeerRun): string {
  const cells = rows.map(({ row, fault, wrong }) => [
    row,
    fault,
    ...subjects.map(({ name }) => (wrong[name] === undefined ? '' : wrong[name].map(plain).join('<br>') || '✓')),
  ])
  const passed = subjects.map(({ name }) => {
    const tested = rows.filter(({ wrong }) => wrong[name] !== undefined)
    return `${tested.filter(({ wrong }) => wrong[name]!.length === 0).length} of ${tested.length}`
  })
  return tableOf([['row', 'fault', ...subjects.map(({ name }) => name)], ...cells, ['', '**passed**', ...passed]])
}

function setupTable({ subjects }: PeerRun): string {
  return tableOf([
    ['logger', 'version', 'setup'],
    ...subjects.map(({ name, version, setup }) => [name, version, setup]),
  ])
}
