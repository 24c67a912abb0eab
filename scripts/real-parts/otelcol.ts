import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { goBuild } from './go-build.ts'
import { configurationOf, type Part } from './part.ts'
import { run } from './run.ts'

/**
 * The OpenTelemetry Collector, built by its own builder. The build takes about six minutes on one slow core, and less when the Go
 * cache has the packages.
 */
export const otelcol: Part = collector('otelcol', '0.155.0')

/** The Collector that reads container logs. */
export const agent: Part = collector('otelcol-agent', '0.149.0')

/** Returns a Collector with the components in `<name>.yaml`. */
function collector(name: string, version: string): Part {
  return {
    name: `${name}-${version}`,
    configuration: `${name}.yaml`,
    madeBy: ['go'],
    mainFile: 'otelcol',
    make(folder) {
      const tools = join(folder, 'tools')
      const sources = join(folder, 'otelcol-src')
      copyFileSync(configurationOf(this), join(folder, 'builder.yaml'))
      run('go', ['install', `go.opentelemetry.io/collector/cmd/builder@v${version}`], { env: { GOBIN: tools } })
      // Only generates the sources: `go mod tidy` of the builder also requires modules of tests, not all of which are published.
      run(join(tools, 'builder'), ['--config', 'builder.yaml', '--skip-compilation', '--skip-get-modules'], {
        cwd: folder,
      })
      rmSync(join(sources, 'go.mod'), { force: true }) // some versions of the builder write one anyway
      run('go', ['mod', 'init', 'sluice.test/otelcol'], { cwd: sources })
      const modules = [...everyCollector(version), ...listed(configurationOf(this))]
      run('go', ['mod', 'edit', ...modules.map((module) => `-require=${module}`)], { cwd: sources })
      goBuild('.', join(folder, 'otelcol'), sources)
      run(join(folder, 'otelcol'), ['--version'])
      for (const path of [tools, sources]) rmSync(path, { recursive: true })
    },
  }
}

/** Returns `path@version` of the modules of every Collector. */
function everyCollector(version: string): string[] {
  return ['otelcol', 'service'].map((name) => `go.opentelemetry.io/collector/${name}@v${version}`)
}

/** Returns `path@version` of the modules in a configuration. */
function listed(configuration: string): string[] {
  const modules = readFileSync(configuration, 'utf8').matchAll(/gomod: (\S+) (\S+)/g)
  return Array.from(modules, ([, path, version]) => `${path}@${version}`)
}
