import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** What a run of `sluice` has written, and how it ended. */
export interface ProgramRun {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** How `sluice` is run. */
export interface ProgramOptions {
  readonly cwd?: string
  /** What is written to the standard input, which then ends. */
  readonly input?: string | Uint8Array
  readonly env?: NodeJS.ProcessEnv
}

/** Starts `sluice` from its source. */
export function startProgram(args: readonly string[], options: ProgramOptions = {}): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, TZ: 'UTC', ...options.env },
  })
  child.stdin.on('error', () => {})
  return child
}

/** Runs `sluice` to its end. It is killed after 30 s. */
export async function runProgram(args: readonly string[], options: ProgramOptions = {}): Promise<ProgramRun> {
  const child = startProgram(args, options)
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000)
  child.stdin.end(options.input)
  const [stdout, stderr, [code]] = await Promise.all([
    buffer(child.stdout).then((bytes) => bytes.toString()),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  clearTimeout(timer)
  return { stdout, stderr, code }
}
