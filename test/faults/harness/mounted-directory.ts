import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'

/** A directory in a separate mount namespace: other processes do not see what is mounted on it. */
export interface MountedDirectory {
  /** A command that runs another one in the namespace: `wrap` of a process. */
  readonly enter: readonly string[]
  /** The path of a file for processes in the namespace. */
  inside(name: string): string
  /** The path of the same file for other processes, until the directory is closed. */
  outside(name: string): string
  /** Runs a command in the namespace. @throws if it fails. */
  run(...command: string[]): void
  close(): void
}

/** Mounts a directory. `mount` are the arguments of mount(8) before the directory. */
export async function mountDirectory(directory: string, ...mount: string[]): Promise<MountedDirectory> {
  mkdirSync(directory)
  const script = 'mount "$@" && echo mounted && exec cat'
  const holder = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...mount, directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])
  if (holder.exitCode !== null) throw new Error(`cannot mount: ${holder.stderr.read()}`)
  const enter = ['nsenter', `--target=${holder.pid}`, '--mount']
  return {
    enter,
    inside: (name) => `${directory}/${name}`,
    outside: (name) => `/proc/${holder.pid}/root${directory}/${name}`,
    run: (...command) => void execFileSync(enter[0]!, [...enter.slice(1), ...command], { stdio: 'pipe' }),
    close: () => void holder.kill('SIGKILL'),
  }
}
