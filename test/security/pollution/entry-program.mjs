// Loads and runs one scenario with a polluted prototype, which is polluted before or after loading. Writes the outcome as JSON to file
// descriptor 3. Functions in an outcome, such as those that read a file, are called after the prototype is restored. Argument: { root,
// directory, collector, entry, format, when, on }; standard input: the pollution, { kind, keys }.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pollute, watch } from './pollute.mjs'
import { scenarios } from './scenarios.mjs'

const plan = JSON.parse(process.argv[2])
const pollution = JSON.parse(readFileSync(0, 'utf8'))
const require = createRequire(import.meta.url)

const files = { esm: ['dist/esm', '.js'], cjs: ['dist/cjs', '.js'], source: ['src/entries', '.ts'] }
const ours = `${join(plan.root, files[plan.format][0])}/`
const programs = join(plan.root, 'dist/')

function load(name) {
  const [folder, extension] = files[plan.format]
  const file = join(plan.root, folder, name + extension)
  return plan.format === 'cjs' ? Promise.resolve(require(file)) : import(pathToFileURL(file).href)
}

const isOurs = (location) => location.includes(ours) || location.includes(programs)

/** Pollutes a prototype. Returns a function that restores it and returns the recorded notes. */
function begin({ kind, keys }) {
  return kind === 'watched' ? watch(keys, isOurs) : pollute(plan.on, kind, keys)
}

// Node creates its standard streams lazily from objects that inherit from polluted prototypes, so create them first.
void [process.stdout, process.stderr]

const loads = scenarios[plan.entry]
let end = plan.when === 'before' ? begin(pollution) : () => undefined
const runtime = { directory: plan.directory, collector: `${plan.collector}/${process.pid}` }
let seen
try {
  const use = await loads(load)
  if (plan.when === 'after') end = begin(pollution)
  const outcome = await use(plan.directory, runtime)
  seen = { notes: end(), outcome }
} catch (error) {
  seen = { notes: end(), failed: String(error?.stack ?? error) }
}
// `writeSync` can write only a part of a long text.
writeFileSync(
  3,
  JSON.stringify(seen, (_, value) => (typeof value === 'function' ? value() : value)),
)
