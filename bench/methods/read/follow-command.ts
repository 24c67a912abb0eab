import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { spread } from '../../report/statistics.ts'
import { environment } from '../../run/process.ts'
import type { ReadCommand } from './commands.ts'

const lineCount = 100
const idleMillis = 5_000
const startMillis = 1_000
/** A clock tick of proc_pid_stat(5) in ms. */
const tickMillis = 10

/** How a program follows a file. */
export interface FollowRun {
  /** From the write of a line until the program has written it, in ms. */
  readonly p50: number
  readonly p95: number
  /** The share of one CPU while nothing is written. */
  readonly idleCpu: number
  /** The number of lines that were not written. */
  readonly missing: number
}

/** Appends lines to a file that a program follows, and measures when it writes them. */
export async function followCommand({ program, args }: ReadCommand, file: string): Promise<FollowRun> {
  writeFileSync(file, '')
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment() })
  const written: number[] = []
  const latencies: number[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { number } = JSON.parse(line) as { number: number }
    latencies.push(performance.now() - written[number]!)
  })
  await pause(startMillis)
  const cpu = cpuOf(child.pid!)
  await pause(idleMillis)
  const idleCpu = (cpuOf(child.pid!) - cpu) / idleMillis
  for (let number = 0; number < lineCount; number++) {
    const line = { timestamp: new Date().toISOString(), level: 'info', message: 'a line', number }
    written.push(performance.now())
    appendFileSync(file, `${JSON.stringify(line)}\n`)
    // Not a multiple of the time between two checks of a file.
    await pause(37)
  }
  await pause(startMillis)
  child.kill('SIGINT')
  await once(child, 'close')
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    p50: spread(latencies).median,
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? NaN,
    idleCpu,
    missing: lineCount - latencies.length,
  }
}

/** Returns the CPU time of a process in ms. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMillis
}
