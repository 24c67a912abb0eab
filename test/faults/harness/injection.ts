import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { FaultRow } from '../rows/row.ts'

/** Returns a command that runs a program whose writes to `path` fail or are delayed, by `inject` of strace(1). */
export function failingWrites(path: string, fault: string): string[] {
  const calls = 'write,writev,pwrite64'
  const quiet = ['-f', '-qqq', '-o', traceOf(path), '--seccomp-bpf']
  return ['strace', ...quiet, '-P', path, '-e', `trace=${calls}`, '-e', `inject=${calls}:${fault}`]
}

/** Returns how many writes to `path` failed or were delayed by `failingWrites`. */
export function failedWrites(path: string): number {
  return readFileSync(traceOf(path), 'latin1').match(/\((?:INJECTED|DELAYED)\)/g)?.length ?? 0
}

function traceOf(path: string): string {
  return `${path}.trace`
}

export const strace: FaultRow['needs'] = commandNeed(
  'strace with permission to trace',
  'strace',
  '-f',
  '-e',
  'trace=none',
  'true',
)
export const compiler: FaultRow['needs'] = commandNeed('a C compiler', 'cc', '--version')
export const prlimit: FaultRow['needs'] = commandNeed('prlimit', 'prlimit', '--version')
export const mountNamespace: FaultRow['needs'] = commandNeed(
  'a separate mount namespace',
  'unshare',
  '--mount',
  'mount',
  '-t',
  'tmpfs',
  'none',
  '/mnt',
)
export const python: FaultRow['needs'] = commandNeed('Python', 'python3', '--version')

/** Returns a need that is available when a command succeeds. */
export function commandNeed(what: string, name: string, ...args: string[]): NonNullable<FaultRow['needs']> {
  return { what, isAvailable: () => spawnSync(name, args, { stdio: 'ignore' }).status === 0 }
}
