import { plain, tableOf } from '../markdown.ts'
import { matrixPath, type FaultRow } from './matrix.ts'
import type { PeerRun } from './peers.ts'
import type { TestResult } from '../test-results.ts'
import { testsByRow } from './tests-by-row.ts'

const MOST_TITLES = 5

/** The page docs/reference/reliability.md. */
export function pageOf(matrix: readonly FaultRow[], tests: readonly TestResult[], peers: PeerRun | undefined): string {
  const byRow = testsByRow(tests)
  const head = ['row', 'what goes wrong', 'how it is made', 'result']
  const lines = matrix.map((row) => [row.row, row.fault, row.how, resultOf(row, byRow.get(row.row) ?? [])])
  const parts = [introduction, '## What goes wrong, and what came of it', tableOf([head, ...lines])]
  if (peers !== undefined) parts.push(peerIntroduction(peers), peerTable(peers), setupsOf(peers))
  return `${parts.join('\n\n')}\n`
}

const introduction = `# Reliability

What goes wrong between a program and the place where its records end, and which tests show that this package survives it.
Nothing of it may throw at the program, hold up its event loop, take memory without a bound, or leave a record out of
[the ledger](exporters.md#delivery-statistics).

Rows 1 to 27, 45 and 46 are put to whole processes: each record carries its run, process, number and a hash; the process tells
its ledger over a pipe of its own; and somebody outside of it reads the sink and compares. What is there is what was called
written, in order and whole; what is missing was counted, and told in the stream or on the standard error.

This page is written by \`npm run reliability\` from what the last \`npm test\` and \`npm run e2e\` left behind, and from
\`${matrixPath}\`: a test that proves something names its row. **Open** is what no test proves yet.`

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
    const more = titles.length > MOST_TITLES ? ` and ${titles.length - MOST_TITLES} more` : ''
    return `[${path.slice('test/'.length)}](../../${path}): ${titles.slice(0, MOST_TITLES).map(plain).join('; ')}${more}`
  })
  return files.join('<br>')
}

function peerIntroduction({ node }: PeerRun): string {
  return `## Beside other loggers

The same processes, faults and judges with other loggers in the place of this one: \`npm run faults:peers\`, on Node ${node}.
A logger that counts nothing passes a row when all of its records are there; where the fault makes that impossible, when it
tells somebody of the loss: on the standard error, by an event or by a rejection. ✓ passes; else what went wrong. Figures are of
one run.`
}

function peerTable({ subjects, rows }: PeerRun): string {
  const cells = rows.map(({ row, fault, wrong }) => [
    row,
    fault,
    ...subjects.map(({ name }) => (wrong[name] === undefined ? '' : wrong[name].map(plain).join('<br>') || '✓')),
  ])
  const passed = subjects.map(({ name }) => {
    const asked = rows.filter(({ wrong }) => wrong[name] !== undefined)
    return `${asked.filter(({ wrong }) => wrong[name]!.length === 0).length} of ${asked.length}`
  })
  return tableOf([['row', 'fault', ...subjects.map(({ name }) => name)], ...cells, ['', '**passed**', ...passed]])
}

function setupsOf({ subjects }: PeerRun): string {
  return tableOf([
    ['logger', 'version', 'set up'],
    ...subjects.map(({ name, version, setup }) => [name, version, setup]),
  ])
}
