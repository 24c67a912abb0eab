import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { environment } from '../../run/process.ts'
import type { Bench } from '../method.ts'
import { cpuOfChildren } from './children.ts'
import { answerFd, type Reported, type Task } from './task.ts'

const program = fileURLToPath(new URL('program.ts', import.meta.url))

/** A program from its start to its end, in ms. */
export interface Life {
  readonly said: Reported
  readonly wall: number
  /** Of all its threads, and of the processes it waited for; undefined where the system does not tell. */
  readonly cpu: number | undefined
}

/** Runs the program, `fd` as its standard output. Closes `fd`. */
export async function runProgram(task: Task, fd: number, { signal }: Bench): Promise<Life> {
  const cpu = cpuOfChildren()
  const start = performance.now()
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', fd, 'inherit', 'pipe'],
    env: environment(),
    signal,
    killSignal: 'SIGKILL',
  })
  closeSync(fd)
  const answer = text(child.stdio[answerFd] as Readable)
  const [code] = (await once(child, 'exit')) as [number | null]
  const wall = performance.now() - start
  const cpuAfter = cpuOfChildren()
  const said = await answer
  if (code !== 0 || said === '') throw new Error(`the program of ${task.subject} ended with ${code}`)
  return { said: JSON.parse(said) as Reported, wall, cpu: difference(cpu, cpuAfter) }
}

function difference(before: number | undefined, after: number | undefined): number | undefined {
  return before === undefined || after === undefined ? undefined : after - before
}
