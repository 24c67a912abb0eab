import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

/** Under which circumstances figures were taken: without them nobody can tell what they are worth. */
export interface Circumstances {
  /** What was typed. */
  readonly command: string
  /** When it began, in ISO 8601. */
  readonly date: string
  readonly minutes: number
  /** How often each subject ran, save where a question asks for fewer runs. */
  readonly runs: number
  /** How many groups were to be measured: fewer are there when the run was cut short. */
  readonly planned: number
  readonly machine: Readonly<Record<'cpu' | 'cores' | 'memory' | 'system' | 'kernel', string>>
  /** Of Node, V8, sluice, and every package that the benchmark names. */
  readonly versions: Readonly<Record<string, string>>
  readonly commit: string
  /** The checkout held changes that are in no commit. */
  readonly dirty: boolean
}

const root = join(import.meta.dirname, '../..')

/** Taken before anything is measured, because the report itself changes the checkout. */
export function circumstances(args: readonly string[], runs: number, planned: number): Circumstances {
  return {
    command: ['npm run bench --', ...args].join(' '),
    date: new Date().toISOString(),
    minutes: 0,
    runs,
    planned,
    machine: {
      cpu: cpus()[0]?.model.trim() ?? 'unknown',
      cores: String(availableParallelism()),
      memory: `${(totalmem() / 2 ** 30).toFixed(1)} GiB`,
      system: systemName(),
      kernel: `${type()} ${release()}`,
    },
    versions: { node: process.versions.node, v8: process.versions.v8, sluice: sluiceVersion(), ...rivalVersions() },
    ...checkout(),
  }
}

function systemName(): string {
  try {
    return /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))![1]!
  } catch {
    return type()
  }
}

function sluiceVersion(): string {
  return (read('package.json') as { version: string }).version
}

/** As the lock file has them: what `npm ci` installs, and nothing else. */
function rivalVersions(): Record<string, string> {
  const { dependencies } = read('bench/package.json') as { dependencies: Record<string, string> }
  const { packages } = read('bench/package-lock.json') as { packages: Record<string, { version: string }> }
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`]?.version ?? 'not locked']),
  )
}

/** What an earlier report left behind is no change of what is measured. */
function checkout(): Pick<Circumstances, 'commit' | 'dirty'> {
  try {
    const changes = git('status', '--porcelain', '--', '.', ':!docs/benchmarks', ':!docs/benchmarks.md')
    return { commit: git('rev-parse', 'HEAD').slice(0, 12), dirty: changes !== '' }
  } catch {
    return { commit: 'unknown', dirty: true }
  }
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'))
