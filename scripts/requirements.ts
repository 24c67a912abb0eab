// Checks that docs/reference/opentelemetry.md matches its tables and the annotations of the tests. With --update, it writes the page
// and marks open requirements that have a test as proven.
import { readFileSync, writeFileSync } from 'node:fs'
import { annotationsOfTests } from './annotations/annotations.ts'
import { pageOf } from './requirements/page.ts'
import { closeProven, faultsOf, readTables, tablesPath } from './requirements/tables.ts'

const page = 'docs/reference/opentelemetry.md'
const annotations = annotationsOfTests()
const tables = process.argv.includes('--update') ? closeProven(readTables(), annotations) : readTables()
const text = pageOf(tables, annotations)

if (process.argv.includes('--update')) {
  writeFileSync(tablesPath, `${JSON.stringify(tables, null, 2)}\n`)
  writeFileSync(page, text)
}
const faults = faultsOf(tables, annotations)
if (readFileSync(page, 'utf8') !== text)
  faults.push(`${page} is out of date: run \`npm run requirements\` and commit it`)
for (const fault of faults) console.error(fault)
process.exitCode = faults.length === 0 ? 0 : 1
