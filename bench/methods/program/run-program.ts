import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { environment } from '../../run/process.ts'
import type { Bench } from '../method.ts'
import { cpuOfChildren } from './children.ts'
import { reportFd, type ProgramReport, type Task } from './task.ts'

const program = fileURLToPath(new URL('program.ts', import.meta.url))

/** The times of a program, in ms. */
export interface ProgramRun {
  readonly report: ProgramReport
  readonly wall: number
  /** CPU time of all its threads and child processes. Undefined on systems that do not count it. */
  readonly cpu: number | undefined
}

/** Runs the program with `fd` as its standard output. Closes `fd`. */
export async function runProgram(task: Task, fd: number, { signal }: Bench): Promise<ProgramRun> {
  const cpu = cpuOfChildren()
  const start = performance.now()
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', fd, 'inherit', 'pipe'],
    env: environment(),
    signal,
    killSignal: 'SIGKILL',
  })
  closeSync(fd)
  const output = text(child.stdio[reportFd] as Readable)
  const [code] = (await once(child, 'exit')) as [number | null]
  const wall = performance.now() - start
  const cpuAfter = cpuOfChildren()
  const json = await output
  if (code !== 0 || json === '') throw new Error(`the program of ${task.subject} exited with code ${code}`)
  return { report: JSON.parse(json) as ProgramReport, wall, cpu: difference(cpu, cpuAfter) }
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before
}
