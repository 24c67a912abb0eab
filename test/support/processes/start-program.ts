import { afterAll } from '@jest/globals'
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** The options of a program. */
export interface StartOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** Matches the output of the program once it is ready. */
  readonly ready: RegExp
  /**
   * Set if the program handles signals only some time after it is ready, and an earlier SIGTERM would lose its data. It is started
   * with SIGINT ignored, and `stop()` repeats SIGINT until the program exits.
   */
  readonly handlesSignalsLate?: true
  /** Is called with each line that the program writes to descriptor 3. */
  readonly onReport?: (line: string) => void
}

/** A program that runs during a test. */
export interface RunningProgram {
  readonly pid: number
  /** Returns its output so far. */
  output(): string
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends a signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Sends SIGTERM, and SIGKILL after 20 s. `ended` has the signal. */
  stop(): Promise<void>
}

const READY_MILLIS = 60_000
const STOP_MILLIS = 20_000
const INTERRUPT_MILLIS = 10
/** Runs the other arguments with SIGINT ignored, which a program inherits until it handles SIGINT. */
const ignoringInterrupt = ['-c', `trap '' INT; exec "$0" "$@"`]
const running = new Set<ChildProcess>()

// Kill the programs that the tests of a file did not stop.
afterAll(() => Promise.all(Array.from(running, killed)))

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Starts a program and waits until it is ready. Rejects with its output if it exits before or takes more than 60 s. */
export async function startProgram(plan: StartOptions): Promise<RunningProgram> {
  const { command, args, cwd, env, ready, onReport, handlesSignalsLate } = plan
  const [file, given] = handlesSignalsLate ? ['sh', [...ignoringInterrupt, command, ...args]] : [command, args]
  const child = spawn(file, given, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  child.once('spawn', () => running.add(child))
  if (onReport) createInterface(child.stdio[3] as Socket).on('line', onReport)
  let output = ''
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve(signal ?? code!)
    })
  })
  const isReady = new Promise<void>((resolve) => {
    for (const stream of child.stdio.slice(1, 3) as Socket[]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (ready.test(output)) resolve()
      })
    }
  })

  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, READY_MILLIS, 'is not ready in time')))
  const failure = await Promise.race([isReady, late, ended.then((end) => `exited with ${end}`)])
  clearTimeout(timer)
  if (typeof failure === 'string') {
    kill()
    throw new Error(`${command} ${failure}:\n${output}`)
  }

  return {
    pid: child.pid!,
    output: () => output,
    ended,
    async kill(signal) {
      child.kill(signal)
      await ended
    },
    async stop() {
      const interrupt = (): boolean => child.kill(handlesSignalsLate ? 'SIGINT' : 'SIGTERM')
      interrupt()
      const repeating = handlesSignalsLate && setInterval(interrupt, INTERRUPT_MILLIS)
      const last = setTimeout(kill, STOP_MILLIS)
      await ended
      clearInterval(repeating)
      clearTimeout(last)
    },
  }
}
