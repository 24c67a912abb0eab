import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A burst in one turn of the event loop. */
export interface BurstPlan {
  /** A file of test/faults/subjects. */
  readonly subject: string
  /** What the subject alone understands. */
  readonly options: object
  readonly records: number
}

/** The most resident memory until the burst began, and until it ended, in bytes. */
export interface BurstSaid {
  readonly before: number
  readonly peak: number
}

const program = fileURLToPath(new URL('burst-program.ts', import.meta.url))

/** Has a new process log a burst to `stdout`; after 60 s it is killed. */
export async function memoryOfBurst(plan: BurstPlan, stdout: number): Promise<BurstSaid> {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ['ignore', stdout, 'ignore', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  let said = ''
  child.stdio[3]!.on('data', (part: Buffer) => (said += part.toString()))
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return JSON.parse(said) as BurstSaid
}
