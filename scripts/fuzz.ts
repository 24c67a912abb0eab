// npm run fuzz -- [--minutes N] [--seed S] [--target NAME]: checks inputs at random until the time is over, and saves what it finds in
// test/security/corpus, where the tests check it from then on. The seed is printed; with it the same inputs are made again.
import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { save } from '../test/security/fuzz/corpus.ts'
import { run } from '../test/security/fuzz/run.ts'
import { targetOf, targets } from '../test/security/fuzz/targets.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    target: { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const first = Number(values.seed)
if (!(minutes > 0) || !Number.isInteger(first)) {
  console.error('usage: npm run fuzz -- [--minutes N] [--seed S] [--target NAME]')
  process.exit(2)
}

const chosen = values.target === undefined ? targets : [targetOf(values.target)]
const end = performance.now() + minutes * 60_000
/** How long each target has before it is the next one's turn. */
const slice = Math.min(10_000, (minutes * 60_000) / chosen.length)
const found = new Set<string>()

console.log(`seed ${first}, ${minutes} minutes`)
for (let seed = first; performance.now() < end; seed++) {
  for (const target of chosen) {
    const left = end - performance.now()
    if (left <= 0) break
    const failure = await run(target, { seed, millis: Math.min(slice, left) })
    if (failure === undefined) continue
    const [what = ''] = failure.why.split('\n')
    // One defect is found by many inputs.
    if (found.has(`${target.name} ${what}`)) continue
    found.add(`${target.name} ${what}`)
    const path = save({ target: target.name, found: failure.why.slice(0, 600), input: failure.input })
    console.log(`${target.name}, seed ${seed}: ${failure.why}\nsaved as ${relative(process.cwd(), path)}`)
  }
}
console.log(found.size === 0 ? 'nothing was found' : `${found.size} found`)
process.exit(found.size === 0 ? 0 : 1)
