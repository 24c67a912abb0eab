import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Row } from '../rows/row.ts'

/** What stands in front of a program whose writes to `path` are to fail, or to take long: strace(1)'s `inject`. */
export function failingWrites(path: string, fault: string): string[] {
  const calls = 'write,writev,pwrite64'
  const quiet = ['-f', '-qqq', '-o', traceOf(path), '--seccomp-bpf']
  return ['strace', ...quiet, '-P', path, '-e', `trace=${calls}`, '-e', `inject=${calls}:${fault}`]
}

/** How many writes to `path` have failed or taken long because of `failingWrites`. */
export function failedWrites(path: string): number {
  return readFileSync(traceOf(path), 'latin1').match(/\((?:INJECTED|DELAYED)\)/g)?.length ?? 0
}

function traceOf(path: string): string {
  return `${path}.trace`
}

export const strace: Row['needs'] = command('a strace that may trace', 'strace', '-f', '-e', 'trace=none', 'true')
export const compiler: Row['needs'] = command('a C compiler', 'cc', '--version')
export const prlimit: Row['needs'] = command('prlimit', 'prlimit', '--version')
export const mountNamespace: Row['needs'] = command(
  'a mount namespace of its own',
  'unshare',
  '--mount',
  'mount',
  '-t',
  'tmpfs',
  'none',
  '/mnt',
)
export const python: Row['needs'] = command('Python', 'python3', '--version')

/** A need that is there when a command succeeds. */
export function command(what: string, name: string, ...args: string[]): NonNullable<Row['needs']> {
  return { what, isThere: () => spawnSync(name, args, { stdio: 'ignore' }).status === 0 }
}
