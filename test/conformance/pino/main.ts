// Runs the tests that pino publishes against the built `sluice/pino`, and compares with what is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { page } from './page.ts'
import { deviations, excludedTests, layOut, outcomesOf, testFiles, unlisted, type Outcome } from './suite.ts'

const written = join(import.meta.dirname, '../../../docs/reference/pino.md')
const update = process.argv.includes('--update')

const workshop = layOut('dist/cjs/pino.js')
const all: Outcome[] = []
try {
  const waiting = testFiles().values()
  const found = new Map<string, Outcome[]>()
  const work = async (): Promise<void> => {
    for (const file of waiting) found.set(file, await outcomesOf(workshop, file))
  }
  await Promise.all([work(), work()])
  // Some of them wait for so long and no longer: those that fail on a busy machine are asked once more, alone.
  for (const [file, results] of found) {
    if (results.some((outcome) => !outcome.passed && !isListed(outcome)))
      found.set(file, await outcomesOf(workshop, file))
  }
  for (const file of testFiles()) all.push(...(found.get(file) ?? []))
} finally {
  workshop.remove()
}

const outcomes = all.filter(({ file, title }) => excludedTests[file]?.[title] === undefined)
const problems = outcomes
  .filter((outcome) => !outcome.passed && !isListed(outcome))
  .map(({ file, title, error }) => `${file}: ${title}: ${error}`)
for (const [file, tests] of Object.entries(deviations)) {
  for (const title of Object.keys(tests)) {
    const outcome = outcomes.find((each) => each.file === file && each.title === title)
    if (outcome?.passed !== false) problems.push(`${file}: ${title}: it is listed as a deviation and does not fail`)
  }
}
for (const [file, tests] of Object.entries(excludedTests)) {
  for (const title of Object.keys(tests)) {
    if (all.some((each) => each.file === file && each.title === title)) continue
    problems.push(`${file}: ${title}: it is listed as left out and there is no such test`)
  }
}
for (const file of unlisted()) problems.push(`${file}: it is neither run nor listed as left out`)
const text = page(outcomes)
if (update) writeFileSync(written, text)
// A file that ends early would have its tests missing.
else if (readFileSync(written, 'utf8') !== text) problems.push('docs/reference/pino.md says otherwise')

for (const problem of problems) console.log(`not ok: ${problem}`)
const failed = outcomes.filter(({ passed }) => !passed).length
console.log(`${outcomes.length} tests of pino, ${outcomes.length - failed} pass, ${failed} deviate`)
console.log(`${outcomes.length - failed} passed, ${problems.length} failed`)
process.exitCode = problems.length === 0 ? 0 : 1

/** Whether it is known that it fails. */
function isListed({ file, title }: Outcome): boolean {
  return deviations[file]?.[title] !== undefined
}
