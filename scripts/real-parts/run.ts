import { spawnSync } from 'node:child_process'

/** Runs a program and shows its output on stderr. Throws if it fails. */
export function run(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): void {
  const { error, status, signal } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? status}`)
}
