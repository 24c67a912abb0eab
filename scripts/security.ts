// Checks that the last run of the tests supports the counts in the table of SECURITY.md: as many tests and inputs, or more, for each
// class of attacks. With --update it writes the table instead. Run `npm test` and `npm run e2e` first.
import { readFileSync, writeFileSync } from 'node:fs'
import { countsOf, readClasses } from './security/classes.ts'
import { faultsOf, statedCounts, withTable } from './security/table.ts'
import { readCheckedInputs, readTestResults } from './test-results.ts'

const path = 'SECURITY.md'
const tests = readTestResults()
const inputs = readCheckedInputs()
const rows = readClasses().map((attack) => [attack, countsOf(attack, tests, inputs)] as const)

if (process.argv.includes('--update')) writeFileSync(path, withTable(readFileSync(path, 'utf8'), rows))
const faults = faultsOf(statedCounts(readFileSync(path, 'utf8')), rows)
if (faults.length > 0) faults.push('Run `npm test`, `npm run e2e` and `npm run security`, and commit SECURITY.md.')
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
