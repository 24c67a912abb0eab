import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { LifeEnd } from './closing.ts'
import { destinations } from './destinations.ts'
import type { ApplicationPlan, Command, Said } from './messages.ts'
import { canary } from './records.ts'
import type { StandardOutput } from './standard-output.ts'

/** One process of an application. */
export interface Life {
  readonly run: string
  readonly pid: number
  readonly output: StandardOutput
  tell(command: Command): void
  /** Tells it, and waits for the answer; undefined when the process ends before. */
  ask<S extends Said['said']>(command: Command, answer: S): Promise<Extract<Said, { said: S }> | undefined>
  kill(signal: NodeJS.Signals): void
  /** What is known of it, for each destination. */
  known(): readonly LifeEnd[]
  /** What must not be. */
  readonly wrong: readonly string[]
  /** The end of what it said there. */
  readonly stderr: string
  /** How it ended: a code or a signal. */
  readonly ended: Promise<number | NodeJS.Signals>
}

const program = fileURLToPath(new URL('application.ts', import.meta.url))
const KEPT_STDERR = 4_000
const nothing: LifeEnd['ledger'] = {
  emitted: 0,
  accepted: 0,
  filtered: 0,
  written: 0,
  queued: 0,
  unknown: 0,
  maybeDuplicated: 0,
  dropped: { total: 0, byReason: {} },
}

/** Starts a process, and waits until it logs. */
export async function startLife(
  plan: ApplicationPlan,
  output: StandardOutput,
  env: Readonly<Record<string, string>>,
): Promise<Life> {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', program, JSON.stringify(plan)]
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', output.stdio, 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  output.started()
  const wrong: string[] = []
  const ends: LifeEnd[] = destinations.map(() => ({ told: false, next: 0, ledger: nothing, settled: undefined }))
  let listeners: ((said: Said) => void)[] = []
  let stderr = ''

  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR)
    if (stderr.includes(canary)) wrong.push(`a secret was shown on the standard error: ${stderr}`)
  })
  // Whoever is killed does not read to the end.
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const said = JSON.parse(line) as Said
    if (said.said === 'wrong') wrong.push(said.what)
    if (said.said === 'ledgers' || said.said === 'last') takeNote(said)
    for (const listener of listeners) listener(said)
  })
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code!))
  })

  function takeNote({ said, next, ledgers }: Extract<Said, { said: 'ledgers' | 'last' }>): void {
    ledgers.forEach((ledger, index) => {
      const settled = ledger.queued === 0 ? { next, ledger } : ends[index]!.settled
      ends[index] = { told: said === 'last', next, ledger, settled }
    })
  }

  function heard<S extends Said['said']>(answer: S): Promise<Extract<Said, { said: S }> | undefined> {
    return new Promise((resolve) => {
      const listener = (said: Said): void => {
        if (said.said !== answer) return
        listeners = listeners.filter((other) => other !== listener)
        resolve(said as Extract<Said, { said: S }>)
      }
      listeners = [...listeners, listener]
      void ended.then(() => resolve(undefined))
    })
  }

  const tell = (command: Command): void => void child.stdin!.write(`${JSON.stringify(command)}\n`)
  const hello = await heard('hello')
  if (hello === undefined) throw new Error(`the application ${plan.run} did not start: ${stderr}`)
  return {
    run: plan.run,
    pid: hello.pid,
    output,
    tell,
    ask(command, answer) {
      const reply = heard(answer)
      tell(command)
      return reply
    },
    kill: (signal) => void child.kill(signal),
    known: () => ends,
    wrong,
    get stderr() {
      return stderr
    },
    ended,
  }
}
