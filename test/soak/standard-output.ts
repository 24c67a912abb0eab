import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ArrivalReport } from './arrivals.ts'

/** The standard output of a process, and a process that reads it. */
export interface StandardOutput {
  /** The `stdio` option for the writing process. */
  readonly stdio: number | Writable
  /** Must be called after the writing process has started. Closes the local write end. */
  started(): void
  /** Stops or resumes the reader. */
  setStopped(stopped: boolean): void
  /** Resolves when the output is closed by all writers. */
  readonly report: Promise<ArrivalReport>
  kill(): void
}

const program = fileURLToPath(new URL('pipe-reader.ts', import.meta.url))

/** Creates a named pipe, which can be reopened, or a socket pair. */
export function standardOutput(socket: boolean, path: string): StandardOutput {
  if (socket) {
    const reader = startReader('pipe')
    return { ...outputOf(reader), stdio: reader.stdin!, started: () => void reader.stdin!.destroy() }
  }
  execFileSync('mkfifo', [path])
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const write = openSync(path, constants.O_WRONLY)
  const reader = startReader(read)
  closeSync(read)
  rmSync(path)
  return { ...outputOf(reader), stdio: write, started: () => closeSync(write) }
}

function startReader(stdin: number | 'pipe'): ChildProcess {
  return spawn(process.execPath, [program], { stdio: [stdin, 'inherit', 'inherit', 'pipe'] })
}

function outputOf(reader: ChildProcess): Pick<StandardOutput, 'setStopped' | 'report' | 'kill'> {
  return {
    setStopped: (stopped) => void reader.kill(stopped ? 'SIGSTOP' : 'SIGCONT'),
    report: text(reader.stdio[3] as Readable).then((json) => JSON.parse(json) as ArrivalReport),
    kill: () => void reader.kill('SIGKILL'),
  }
}
