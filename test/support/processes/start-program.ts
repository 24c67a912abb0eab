import { afterAll } from '@jest/globals'
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** What is started, and how one sees that it can be used. */
export interface StartPlan {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What it says, on whichever of its outputs, once it can be used. */
  readonly ready: RegExp
  /**
   * It listens to signals only some time after it has said that it is ready: SIGTERM before that ends it with what it holds.
   * Such a program is started with SIGINT ignored, and `stop()` sends it SIGINT again and again: one of them is heard.
   */
  readonly listensLate?: true
  /** Called with each line that it writes to a pipe of its own, which is its descriptor 3. */
  readonly reports?: (line: string) => void
}

/** A program that runs beside a test. */
export interface Started {
  readonly pid: number
  /** What it said so far. */
  said(): string
  /** Resolves when it has ended, with how: a code or a signal. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** Sends a signal, and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Ends it by SIGTERM, or by SIGKILL when it still runs after 20 s. `ended` says which of them it was. */
  stop(): Promise<void>
}

const READY_MILLIS = 60_000
const STOP_MILLIS = 20_000
const ASK_MILLIS = 10
/** Starts the rest of its arguments with SIGINT ignored, which a program inherits until it wants to hear it. */
const ignoringInterrupt = ['-c', `trap '' INT; exec "$0" "$@"`]
const running = new Set<ChildProcess>()

// What the tests of a file, or one that failed, have left: it would outlive the run.
afterAll(() => Promise.all(Array.from(running, killed)))

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Starts a program and waits until it is ready. Rejects, with what it said, when it ends before that or takes over 60 s. */
export async function start(plan: StartPlan): Promise<Started> {
  const { command, args, cwd, env, ready, reports, listensLate } = plan
  const [file, given] = listensLate ? ['sh', [...ignoringInterrupt, command, ...args]] : [command, args]
  const child = spawn(file, given, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  child.once('spawn', () => running.add(child))
  if (reports) createInterface(child.stdio[3] as Socket).on('line', reports)
  let said = ''
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
        said += text
        if (ready.test(said)) resolve()
      })
    }
  })

  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => (timer = setTimeout(resolve, READY_MILLIS, 'is not ready in time')))
  const problem = await Promise.race([isReady, late, ended.then((end) => `ended with ${end}`)])
  clearTimeout(timer)
  if (typeof problem === 'string') {
    kill()
    throw new Error(`${command} ${problem}:\n${said}`)
  }

  return {
    pid: child.pid!,
    said: () => said,
    ended,
    async kill(signal) {
      child.kill(signal)
      await ended
    },
    async stop() {
      const ask = (): boolean => child.kill(listensLate ? 'SIGINT' : 'SIGTERM')
      ask()
      const asking = listensLate && setInterval(ask, ASK_MILLIS)
      const last = setTimeout(kill, STOP_MILLIS)
      await ended
      clearInterval(asking)
      clearTimeout(last)
    },
  }
}
