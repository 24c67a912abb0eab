// node serve.js WORKER COLLECTOR REQUESTS: prints the responses and the console output of the worker as JSON.
import { readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Miniflare } from 'miniflare'

const [, , worker, collector, requests] = process.argv
const printed = []
const keep = (stream) => createInterface({ input: stream }).on('line', (line) => printed.push(line))
const module = (path, file) => ({ type: 'ESModule', path, contents: readFileSync(file, 'utf8') })
const pathNextToWorker = (path) => join(dirname(worker), path)

/** Returns a module of the package and its imports, by their paths below `sluice/`. */
function ofPackage(name, found = new Map()) {
  if (found.has(name)) return found
  const file = pathNextToWorker(`node_modules/sluice/dist/esm/${name}.js`)
  found.set(name, file)
  for (const [, other] of readFileSync(file, 'utf8').matchAll(/from"\.\/([\w-]+)\.js"/g)) ofPackage(other, found)
  return found
}

const miniflare = new Miniflare({
  // The first module is the worker. The others have the names by which they are imported.
  modules: [
    module('worker.js', worker),
    module('core.js', pathNextToWorker('core.js')),
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
writeSync(1, JSON.stringify({ answers, printed }))
