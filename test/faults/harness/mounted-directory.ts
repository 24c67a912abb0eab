import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'

/** A directory in a mount namespace of its own: nothing that is mounted there is seen elsewhere. */
export interface Place {
  /** What runs a command in there: `wrap` of a process. */
  readonly enter: readonly string[]
  /** A file of it, as the processes in there call it. */
  inside(name: string): string
  /** The same for everybody else, as long as the place is open. */
  outside(name: string): string
  /** Runs a command in there. @throws when it fails. */
  run(...command: string[]): void
  close(): void
}

/** Opens one. `mount`: the arguments of mount(8) in front of the directory. */
export async function mountedPlace(directory: string, ...mount: string[]): Promise<Place> {
  mkdirSync(directory)
  const script = 'mount "$@" && echo mounted && exec cat'
  const keeper = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', ...mount, directory], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  await Promise.race([once(keeper.stdout, 'data'), once(keeper, 'exit')])
  if (keeper.exitCode !== null) throw new Error(`cannot mount: ${keeper.stderr.read()}`)
  const enter = ['nsenter', `--target=${keeper.pid}`, '--mount']
  return {
    enter,
    inside: (name) => `${directory}/${name}`,
    outside: (name) => `/proc/${keeper.pid}/root${directory}/${name}`,
    run: (...command) => void execFileSync(enter[0]!, [...enter.slice(1), ...command], { stdio: 'pipe' }),
    close: () => void keeper.kill('SIGKILL'),
  }
}
