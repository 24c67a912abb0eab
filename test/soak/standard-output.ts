import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ArrivalReport } from './arrivals.ts'

/** A process's standard output, and another process that reads it. */
export interface StandardOutput {
  /** For the one `stdio` of the process that writes. */
  readonly stdio: number | Writable
  /** To be called when that process has been started: nobody else writes. */
  started(): void
  /** Stops whoever reads, or has it go on. */
  stop(stopped: boolean): void
  /** What it has read, once nobody writes any more. */
  readonly report: Promise<ArrivalReport>
  kill(): void
}

const program = fileURLToPath(new URL('pipe-reader.ts', import.meta.url))

/** Makes a pipe, with a name so that one end can be opened anew, or a pair of sockets. */
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

function outputOf(reader: ChildProcess): Pick<StandardOutput, 'stop' | 'report' | 'kill'> {
  return {
    stop: (stopped) => void reader.kill(stopped ? 'SIGSTOP' : 'SIGCONT'),
    report: text(reader.stdio[3] as Readable).then((said) => JSON.parse(said) as ArrivalReport),
    kill: () => void reader.kill('SIGKILL'),
  }
}
