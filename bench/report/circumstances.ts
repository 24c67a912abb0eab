import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

/** One start of the benchmark. */
export interface Session {
  /** The command line, without the paths of files. */
  readonly command: string
  /** The start, in ISO 8601. */
  readonly date: string
  readonly minutes: number
  readonly commit: string
  /** Whether the checkout had uncommitted changes. */
  readonly dirty: boolean
}

/** The circumstances in which figures were measured. */
export interface Circumstances extends Session {
  /** The sessions whose figures this one continued, oldest first. */
  readonly earlier?: readonly Session[]
  /** The number of runs of each subject, unless a scenario has another number. */
  readonly runs: number
  /** The number of groups to measure. An interrupted run has fewer. */
  readonly planned: number
  readonly machine: Readonly<Record<'cpu' | 'cores' | 'memory' | 'system' | 'kernel', string>>
  /** The versions of Node, V8, sluice, and every dependency of the benchmark. */
  readonly versions: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '../..')

/**
 * Returns the circumstances of this session. Call it before measuring, because the report changes the checkout.
 *
 * @param continued - the circumstances of the session whose figures this one continues
 */
export function circumstances(
  args: readonly string[],
  runs: number,
  planned: number,
  continued?: Circumstances,
): Circumstances {
  return {
    command: ['npm run bench --', ...args.map(withoutPath)].join(' '),
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
    ...(continued !== undefined && { earlier: [...(continued.earlier ?? []), sessionOf(continued)] }),
  }
}

function sessionOf({ command, date, minutes, commit, dirty }: Circumstances): Session {
  return { command, date, minutes, commit, dirty }
}

/** Removes paths, which differ between machines, because the report is published. */
function withoutPath(argument: string): string {
  return argument.replace(/^(--\w+=)?.*\/.*$/, '$1…')
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

/** Returns the versions in the lock file, which `npm ci` installs. */
function rivalVersions(): Record<string, string> {
  const { dependencies } = read('bench/package.json') as { dependencies: Record<string, string> }
  const { packages } = read('bench/package-lock.json') as { packages: Record<string, { version: string }> }
  return Object.fromEntries(
    Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`]?.version ?? 'not locked']),
  )
}

/** Returns the commit and whether anything except an earlier report was changed. */
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
