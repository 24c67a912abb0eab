/**
 * Applications log continuously to every kind of destination while random faults occur. Then their delivery statistics must match
 * the records that arrived. Exits with code 1 if anything is wrong.
 */
import { readCommandLine } from './command-line.ts'
import { planText } from './plan-text.ts'
import { planOf } from './plan.ts'
import { runSoak } from './run.ts'

const { minutes, seed, planOnly } = readCommandLine(process.argv.slice(2))
const plan = planOf(seed, Math.round(minutes * 60_000))

if (planOnly) {
  console.log(planText(plan))
} else {
  const { records, wrong } = await runSoak(plan, { recordsPerSecond: 300, print: (line) => console.log(line) })
  if (wrong.length === 0) {
    console.log(`soak: ${minutes} minutes, seed ${seed}: all ${records} records accounted for`)
  } else {
    process.exitCode = 1
    console.log(`soak: ${minutes} minutes, seed ${seed}: FAILED, ${records} records`)
    for (const sentence of wrong) console.log(`  ${sentence}`)
    console.log(`to repeat: npm run soak -- --minutes ${minutes} --seed ${seed}`)
  }
}
