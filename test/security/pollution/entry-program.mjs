// Loads what one scenario uses and runs it, once for each of the runs, with a prototype polluted: before it is loaded, or after.
// Writes what came of each run to descriptor 3, a line of JSON each, and `mark` behind what it printed. Functions in an outcome, such
// as those that read a file, are called when the prototype is clean again. Argument:
// { root, directory, collector, entry, format, when, on, mark }; runs are the lines { kind, keys } of the standard input.
import { readFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pollute, watch } from './pollute.mjs'
import { scenarios } from './scenarios.mjs'

const plan = JSON.parse(process.argv[2])
const runs = JSON.parse(readFileSync(0, 'utf8'))
const require = createRequire(import.meta.url)

const files = { esm: ['dist/esm', '.js'], cjs: ['dist/cjs', '.js'], source: ['src', '.ts'] }
const ours = `${join(plan.root, files[plan.format][0])}/`
const programs = join(plan.root, 'dist/')

function load(name) {
  const [folder, extension] = files[plan.format]
  const file = join(plan.root, folder, name + extension)
  return plan.format === 'cjs' ? Promise.resolve(require(file)) : import(pathToFileURL(file).href)
}

const isOurs = (place) => place.includes(ours) || place.includes(programs)

/** Pollutes; what this returns takes it off again, and returns what was noted. */
function begin({ kind, keys }) {
  return kind === 'watched' ? watch(keys, isOurs) : pollute(plan.on, kind, keys)
}

// Node makes its standard streams when they are first used, of objects that inherit.
void [process.stdout, process.stderr]

const loads = scenarios[plan.entry]
let number = 0
let use

for (const run of runs) {
  let end = plan.when === 'before' ? begin(run) : () => undefined
  const surroundings = { directory: plan.directory, collector: `${plan.collector}/${process.pid}-${number++}` }
  let seen
  try {
    use ??= await loads(load)
    if (plan.when === 'after') end = begin(run)
    const outcome = await use(plan.directory, surroundings)
    seen = { notes: end(), outcome }
  } catch (error) {
    seen = { notes: end(), failed: String(error?.stack ?? error) }
  }
  writeSync(3, `${JSON.stringify(seen, (_, value) => (typeof value === 'function' ? value() : value))}\n`)
  writeSync(1, plan.mark)
  writeSync(2, plan.mark)
}
