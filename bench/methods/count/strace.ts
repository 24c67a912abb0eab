import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../../run/process.ts'
import type { Measured } from '../burst/measured.ts'
import { nameOf, type Bench, type Job } from '../method.ts'
import { writesIn, type Writes } from './writes.ts'

/** Whether strace is installed and may trace, which a container can forbid. */
export function canTrace(): boolean {
  const node = [process.execPath, '--version']
  return spawnSync('strace', ['-f', '--seccomp-bpf', '-o/dev/null', ...node], { stdio: 'ignore' }).status === 0
}

// One file for each thread, so that calls of threads are not interleaved; paths of descriptors, because a logger may reopen its
// destination; only write calls are stopped; and -I2, so that a signal ends strace although the trace goes to files.
const options = ['-ff', '--seccomp-bpf', '-I2', '-qq', '-y', '-s0', '-eabbrev=none', '-esignal=none']
const calls = '-etrace=write,writev,pwrite64,pwritev,pwritev2'

/**
 * Runs a program with a job, like `runProcess`, and traces the writes of it and its children to the destination of `fd`. Closes `fd`.
 */
export async function traceProcess(
  program: URL,
  job: Job,
  fd: number,
  { folder, signal }: Bench,
): Promise<{ readonly measured: Measured; readonly writes: Writes }> {
  const traces = mkdtempSync(join(folder, 'trace-'))
  const destination = readlinkSync(`/proc/self/fd/${fd}`)
  const node = [process.execPath, fileURLToPath(program), JSON.stringify(job)]
  const strace = spawn('strace', [...options, calls, `-o${join(traces, 'thread')}`, ...node], {
    stdio: ['ignore', fd, 'inherit', 'ipc'],
    env: environment(),
    signal,
    // A signal lets strace end the traced processes, which a SIGKILL would leave running.
    killSignal: 'SIGTERM',
  })
  closeSync(fd)
  let measured: Measured | undefined
  strace.on('message', (message) => (measured = message as Measured))
  const [[code]] = (await Promise.all([once(strace, 'close'), once(strace, 'disconnect')])) as [
    [number | null],
    unknown,
  ]
  if (code !== 0 || measured === undefined) throw new Error(`${nameOf(job)}, traced, ended with ${code}`)
  const texts = readdirSync(traces).map((name) => readFileSync(join(traces, name), 'latin1'))
  rmSync(traces, { recursive: true })
  return { measured, writes: writesIn(texts, destination) }
}
