import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { goBuild } from './go-build.ts'
import { configurationOf, type Part } from './part.ts'
import { run } from './run.ts'

/** Grafana Loki as a single binary. */
export const loki: Part = {
  name: 'loki-3.7.8',
  configuration: 'loki.mod',
  madeBy: ['go'],
  mainFile: 'loki',
  make(folder) {
    const sources = join(folder, 'loki-src')
    mkdirSync(sources)
    copyFileSync(configurationOf(loki), join(sources, 'go.mod'))
    goBuild('github.com/grafana/loki/v3/cmd/loki', join(folder, 'loki'), sources)
    run(join(folder, 'loki'), ['--version'])
    rmSync(sources, { recursive: true })
  },
}
