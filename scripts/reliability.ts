// Holds docs/reference/reliability.md to what the last run of the tests left in temp/test-results. With --update it writes the page
// instead, and closes what was open and has passed now. Run `npm test` and `npm run e2e` before.
import { readFileSync, writeFileSync } from 'node:fs'
import { closePassed, faultsOf } from './reliability/faults.ts'
import { matrixPath, readMatrix } from './reliability/matrix.ts'
import { pageOf } from './reliability/page.ts'
import { readPeers } from './reliability/peers.ts'
import { readTestResults } from './test-results.ts'

const page = 'docs/reference/reliability.md'
const update = process.argv.includes('--update')
const tests = readTestResults()
const matrix = update ? closePassed(readMatrix(), tests) : readMatrix()
const text = pageOf(matrix, tests, readPeers())

if (update) {
  writeFileSync(matrixPath, `${JSON.stringify(matrix, null, 2)}\n`)
  writeFileSync(page, text)
}
const faults = faultsOf(matrix, tests)
if (readFileSync(page, 'utf8') !== text)
  faults.push(`${page} is not what the tests say: run \`npm test\`, \`npm run e2e\` and \`npm run reliability\``)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
