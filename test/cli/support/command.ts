import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CommandIo } from '../../../src/cli/report/command-io.ts'

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))

/** What a command printed. */
export interface CapturedIo extends CommandIo {
  readonly output: string
  readonly errors: readonly string[]
}

/** Returns the device of a command that keeps what is printed. */
export function capturedIo({ columns = 100, usesColors = false }: Partial<CommandIo> = {}): CapturedIo {
  let output = ''
  const errors: string[] = []
  return {
    out: (text) => void (output += text),
    err: (line) => void errors.push(line),
    columns,
    usesColors,
    get output() {
      return output
    },
    errors,
  }
}

/** Runs the program `sluice` in a process. */
export function runProgram(
  args: readonly string[],
  { cwd, input = '' }: { readonly cwd?: string; readonly input?: string | Buffer } = {},
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const options = {
    cwd,
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
    env: { ...process.env, NO_COLOR: '1', TZ: 'UTC' },
  } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], options)
  return { status, stdout, stderr }
}
