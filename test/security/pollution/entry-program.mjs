// Loads one entry of the built package and runs its scenario with Object.prototype (or another prototype) polluted: before the
// entry is loaded, or after. Prints what came of it as JSON to descriptor 3. Argument: { root, directory, entry, format, when, on,
// kind, keys }.
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pollute } from './pollute.mjs'
import { scenarios } from './scenarios.mjs'

const plan = JSON.parse(process.argv[2])
const require = createRequire(import.meta.url)

const files = { esm: ['dist/esm', '.js'], cjs: ['dist/cjs', '.js'], source: ['src', '.ts'] }

function load(name) {
  const [folder, extension] = files[plan.format]
  const file = join(plan.root, folder, name + extension)
  return plan.format === 'cjs' ? Promise.resolve(require(file)) : import(pathToFileURL(file).href)
}

let clean = () => {}
const begin = () => {
  clean = pollute(plan.on, plan.kind, plan.keys)
}

try {
  if (plan.when === 'before') begin()
  const use = await scenarios[plan.entry](load)
  if (plan.when === 'after') begin()
  const outcome = await use(plan.directory)
  clean()
  report({ outcome })
} catch (error) {
  clean()
  report({ failed: String(error?.stack ?? error) })
}

function report(value) {
  writeSync(3, JSON.stringify(value))
}
