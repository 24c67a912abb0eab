// Holds docs/reference/opentelemetry.md to its tables and to the titles of the tests. With --update it writes the page instead,
// and closes what was open and has a test now.
import { readFileSync, writeFileSync } from 'node:fs'
import { claimsOfTests } from './requirements/claims.ts'
import { pageOf } from './requirements/page.ts'
import { closeProven, faultsOf, readTables, tablesPath } from './requirements/tables.ts'

const page = 'docs/reference/opentelemetry.md'
const claims = claimsOfTests()
const tables = process.argv.includes('--update') ? closeProven(readTables(), claims) : readTables()
const text = pageOf(tables, claims)

if (process.argv.includes('--update')) {
  writeFileSync(tablesPath, `${JSON.stringify(tables, null, 2)}\n`)
  writeFileSync(page, text)
}
const faults = faultsOf(tables, claims)
if (readFileSync(page, 'utf8') !== text)
  faults.push(`${page} is out of date: run \`npm run requirements\` and commit it`)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
