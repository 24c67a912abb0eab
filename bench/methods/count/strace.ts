import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment } from '../../run/process.ts'
import type { Measured } from '../burst/measured.ts'
import { nameOf, type Bench, type Job } from '../method.ts'
import { writesIn, type Writes } from './writes.ts'

/** Whether there is a strace, and it may trace: a container can forbid that. */
export function canTrace(): boolean {
  const node = [process.execPath, '--version']
  return spawnSync('strace', ['-f', '--seccomp-bpf', '-o/dev/null', ...node], { stdio: 'ignore' }).status === 0
}

// A file for each thread, so that no call is cut in two by another thread's; descriptors as what stands behind them,
// because a logger may open its destination anew; no system call stops but those that write; and a signal ends strace
// (-I2), which it would not where the trace goes to files.
const options = ['-ff', '--seccomp-bpf', '-I2', '-qq', '-y', '-s0', '-eabbrev=none', '-esignal=none']
const calls = '-etrace=write,writev,pwrite64,pwritev,pwritev2'

/**
 * Runs a program with a job, as `runProcess` does, and watches what it and all that it starts write to where `fd` leads.
 * Closes `fd`.
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
    // strace ends what it traces; killed at once, it would leave that behind.
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
