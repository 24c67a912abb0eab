// node serve.js WORKER COLLECTOR REQUESTS: says what the worker answered, and what it said to the console.
import { readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Miniflare } from 'miniflare'

const [, , worker, collector, requests] = process.argv
const said = []
const keep = (stream) => createInterface({ input: stream }).on('line', (line) => said.push(line))
const module = (path, file) => ({ type: 'ESModule', path, contents: readFileSync(file, 'utf8') })
const beside = (path) => join(dirname(worker), path)

/** A module of the package and those that it imports, by their names below `sluice/`. */
function ofPackage(name, found = new Map()) {
  if (found.has(name)) return found
  const file = beside(`node_modules/sluice/dist/esm/${name}.js`)
  found.set(name, file)
  for (const [, other] of readFileSync(file, 'utf8').matchAll(/from"\.\/([\w-]+)\.js"/g)) ofPackage(other, found)
  return found
}

const miniflare = new Miniflare({
  // The first one is the worker. Others have the name by which they are imported.
  modules: [
    module('worker.js', worker),
    module('core.js', beside('core.js')),
    ...[...ofPackage('core')].map(([name, file]) =>
      module(name === 'core' ? 'sluice/core' : `sluice/${name}.js`, file),
    ),
  ],
  bindings: { OTLP_URL: collector },
  compatibilityDate: '2026-07-01',
  handleRuntimeStdio(stdout, stderr) {
    keep(stdout)
    keep(stderr)
  },
})
const answers = await Promise.all(
  Array.from({ length: Number(requests) }, async (_, request) => {
    const response = await miniflare.dispatchFetch(`http://worker/${request}`)
    return response.text()
  }),
)
await miniflare.dispose()
writeSync(1, JSON.stringify({ answers, said }))
