// Checks that docs/reference/reliability.md matches the results of the last test run in temp/test-results. With --update, it writes
// the page and marks open rows whose tests have passed as proven. Run `npm test` and `npm run e2e` before.
import { readFileSync, writeFileSync } from 'node:fs'
import { annotationsOfTests } from './annotations/annotations.ts'
import { closePassed, faultsOf } from './reliability/faults.ts'
import { matrixPath, readMatrix } from './reliability/matrix.ts'
import { pageOf } from './reliability/page.ts'
import { readPeers } from './reliability/peers.ts'
import { rowAnnotations } from './reliability/row-annotations.ts'
import { testsByRow } from './reliability/tests-by-row.ts'
import { readTestResults } from './test-results.ts'

const page = 'docs/reference/reliability.md'
const update = process.argv.includes('--update')
const byRow = testsByRow(readTestResults(), [...annotationsOfTests(), ...rowAnnotations()])
const matrix = update ? closePassed(readMatrix(), byRow) : readMatrix()
const text = pageOf(matrix, byRow, readPeers())

if (update) {
  writeFileSync(matrixPath, `${JSON.stringify(matrix, null, 2)}\n`)
  writeFileSync(page, text)
}
const faults = faultsOf(matrix, byRow)
if (readFileSync(page, 'utf8') !== text)
  faults.push(`${page} differs from the test results: run \`npm test\`, \`npm run e2e\` and \`npm run reliability\``)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
