// Runs the tests that pino publishes with the built `sluice/pino`, and compares the results with the committed page.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { page } from './page.ts'
import { isListed, isUnexpected, problemsOf } from './problems.ts'
import { excludedTests, createPinoCopy, outcomesOf, testFiles, type Outcome } from './suite.ts'
import { typeOutcomes } from './type-tests.ts'

const written = join(import.meta.dirname, '../../../docs/reference/pino.md')
const update = process.argv.includes('--update')

const copy = createPinoCopy('dist/cjs/pino.js')
const all: Outcome[] = []
try {
  const queue = testFiles().values()
  const found = new Map<string, Outcome[]>()
  const work = async (): Promise<void> => {
    for (const file of queue) found.set(file, await outcomesOf(copy, file))
  }
  await Promise.all([work(), work()])
  // Some tests have short timeouts that a busy machine exceeds, so files with unexpected failures run again, alone.
  for (const [file, results] of found) {
    if (results.some(isUnexpected)) found.set(file, await outcomesOf(copy, file))
  }
  for (const file of testFiles()) all.push(...(found.get(file) ?? []))
  all.push(...(await typeOutcomes(copy)))
} finally {
  copy.remove()
}

const problems = problemsOf(all)
const outcomes = all.filter((outcome) => !isListed(excludedTests, outcome))
const text = page(outcomes)
if (update) writeFileSync(written, text)
// The page also shows whether tests are missing because a file ended early.
else if (readFileSync(written, 'utf8') !== text)
  problems.push('docs/reference/pino.md is out of date: update it with `npm run conformance:pino -- --update`')

for (const problem of problems) console.log(`not ok: ${problem}`)
for (const { file, title, notRun } of outcomes)
  if (notRun !== undefined) console.log(`not run (${notRun}): ${file}: ${title}`)
const run = outcomes.filter(({ notRun }) => notRun === undefined)
const failed = run.filter(({ passed }) => !passed).length
console.log(
  `${run.length} tests of pino, ${run.length - failed} pass, ${failed} deviate, ${outcomes.length - run.length} not run`,
)
console.log(`${run.length - failed} passed, ${problems.length} failed`)
process.exitCode = problems.length === 0 ? 0 : 1
