import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { configurationOf, type Part } from './part.ts'
import { run } from './run.ts'

const version = 'v0.155.0'

/**
 * The OpenTelemetry Collector, made by its own builder. That takes some six minutes on one slow core, and less once Go's
 * cache knows the packages.
 */
export const otelcol: Part = {
  name: 'otelcol-0.155.0',
  configuration: 'otelcol.yaml',
  madeBy: ['go'],
  mainFile: 'otelcol',
  make(folder) {
    const tools = join(folder, 'tools')
    const sources = join(folder, 'otelcol-src')
    copyFileSync(configurationOf(otelcol), join(folder, 'builder.yaml'))
    run('go', ['install', `go.opentelemetry.io/collector/cmd/builder@${version}`], { env: { GOBIN: tools } })
    // Only for the sources: the builder's own `go mod tidy` also wants the modules that its modules' tests import, and
    // not all of them are published.
    run(join(tools, 'builder'), ['--config', 'builder.yaml', '--skip-compilation', '--skip-get-modules'], {
      cwd: folder,
    })
    run('go', ['mod', 'init', 'sluice.test/otelcol'], { cwd: sources })
    run('go', ['mod', 'edit', ...modules().map((module) => `-require=${module}`)], { cwd: sources })
    run('go', ['build', '-trimpath', '-ldflags=-s -w', '-o', join(folder, 'otelcol'), '.'], {
      cwd: sources,
      env: { GOFLAGS: `${process.env.GOFLAGS ?? ''} -mod=mod`.trim(), CGO_ENABLED: '0' },
    })
    run(join(folder, 'otelcol'), ['--version'])
    for (const path of [tools, sources]) rmSync(path, { recursive: true })
  },
}

/** `path@version` of what the configuration lists, and of what every Collector is built on. */
function modules(): string[] {
  const listed = readFileSync(configurationOf(otelcol), 'utf8').matchAll(/gomod: (\S+) (\S+)/g)
  const core = ['otelcol', 'service'].map((name) => `go.opentelemetry.io/collector/${name}@${version}`)
  return [...core, ...Array.from(listed, ([, path, version]) => `${path}@${version}`)]
}
