import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A burst in one turn of the event loop. */
export interface BurstPlan {
  /** A file of test/faults/subjects. */
  readonly subject: string
  /** Options of the subject. */
  readonly options: object
  readonly records: number
}

/** The peak resident memory before the burst and after it, in bytes. */
export interface BurstMemory {
  readonly before: number
  readonly peak: number
}

const program = fileURLToPath(new URL('burst-program.ts', import.meta.url))

/** Starts a process that logs a burst to `stdout`, with a timeout of 60 s. */
export async function memoryOfBurst(plan: BurstPlan, stdout: number): Promise<BurstMemory> {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ['ignore', stdout, 'ignore', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  let json = ''
  child.stdio[3]!.on('data', (part: Buffer) => (json += part.toString()))
  await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return JSON.parse(json) as BurstMemory
}
