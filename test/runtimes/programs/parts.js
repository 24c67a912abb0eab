// Uses the package's separate files, for the writer process and the exit worker: `node parts.js DIRECTORY URL`. Exits immediately.
import { writeSync } from 'node:fs'
import { createLogger } from 'sluice'
import { otlpExporter, processExporter } from 'sluice/exporters'

const [, , directory, url] = process.argv
void byProcess().then(byThreadAtTheEnd)

async function byProcess() {
  try {
    const log = createLogger({ exporter: processExporter({ path: `${directory}/by-process.log` }) })
    log.info('by a process of its own')
    const { ok } = await log.shutdown()
    writeSync(1, `writer ${ok}\n`)
  } catch (error) {
    writeSync(1, `writer ${error.problems[0].code}\n`)
  }
}

function byThreadAtTheEnd() {
  const log = createLogger({ exporter: otlpExporter({ url, protocol: 'http/json' }) })
  for (let seq = 0; seq < 100; seq++) log.info('by a thread at the end', { seq })
  process.exit(0)
}
