// Installs the missing real parts that tests start: `npm run real-parts`.
import { spawnSync } from 'node:child_process'
import { install, isInstalled } from './install.ts'
import { kafka } from './kafka.ts'
import { loki } from './loki.ts'
import { agent, otelcol } from './otelcol.ts'
import { columnStore, decoder } from './python.ts'

for (const part of [decoder, otelcol, agent, kafka, columnStore, loki]) {
  const begin = performance.now()
  const wasThere = isInstalled(part)
  if (!wasThere) {
    const missing = part.madeBy.filter((program) => spawnSync(program, ['--version']).error)
    if (missing.length > 0) {
      console.error(`${part.name} is not made: ${missing.join(' and ')} not found on PATH`)
      process.exitCode = 1
      continue
    }
    console.log(`${part.name} is made by ${part.madeBy.join(' and ')}`)
  }
  const folder = install(part)
  console.log(wasThere ? `${folder} is there` : `${folder} made in ${Math.round((performance.now() - begin) / 1000)} s`)
}
