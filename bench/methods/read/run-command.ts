import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { environment } from '../../run/process.ts'
import type { Bench } from '../method.ts'
import { cpuOfChildren } from '../program/children.ts'
import type { ReadCommand } from './commands.ts'

/** How often the peak memory of a program is read, in ms. */
const memoryMillis = 10

/** A run of a program to its end. */
export interface CommandRun {
  /** From its start to its exit, in ms. */
  readonly wall: number
  /** CPU time of all its threads, in ms; undefined where the system does not count it. */
  readonly cpu: number | undefined
  /** Its peak resident memory in MB; NaN where the system has no such number. */
  readonly peak: number
  readonly code: number | null
}

/**
 * Runs a program to its end, with a file as its standard output.
 *
 * @param input - the file for programs that read their standard input
 */
export async function runCommand(
  { program, args, readsInput }: ReadCommand,
  input: string,
  output: string,
  { signal }: Bench,
): Promise<CommandRun> {
  const descriptors = [openSync(readsInput === true ? input : '/dev/null', 'r'), openSync(output, 'w')] as const
  const cpu = cpuOfChildren()
  const start = performance.now()
  const child = spawn(program, args, {
    stdio: [...descriptors, 'inherit'],
    env: { ...environment(), LC_ALL: 'C', TZ: 'UTC' },
    signal,
    killSignal: 'SIGKILL',
  })
  for (const fd of descriptors) closeSync(fd)
  let peak = NaN
  const timer = setInterval(() => (peak = peakOf(child.pid!) ?? peak), memoryMillis)
  const [code] = (await once(child, 'exit')) as [number | null]
  const wall = performance.now() - start
  clearInterval(timer)
  const cpuAfter = cpuOfChildren()
  return { wall, cpu: cpu === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpu, peak, code }
}

/** Returns the time until a program writes the first bytes to a pipe, in ms. The program is then killed. */
export async function firstOutput({ program, args, readsInput }: ReadCommand, input: string): Promise<number> {
  const fd = openSync(readsInput === true ? input : '/dev/null', 'r')
  const start = performance.now()
  const child = spawn(program, args, { stdio: [fd, 'pipe', 'ignore'], env: { ...environment(), LC_ALL: 'C' } })
  closeSync(fd)
  const stdout = child.stdout!
  await Promise.race([once(stdout, 'data'), once(stdout, 'end')])
  const took = performance.now() - start
  child.kill('SIGKILL')
  await once(child, 'close')
  return took
}

/** Returns the peak resident memory of a process in MB, from proc_pid_status(5). */
function peakOf(pid: number): number | undefined {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
    return kilobytes === undefined ? undefined : (Number(kilobytes) * 1_024) / 1e6
  } catch {
    return undefined
  }
}
