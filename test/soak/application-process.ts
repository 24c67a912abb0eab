import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { RunStats } from './run-stats.ts'
import { destinations } from './destinations.ts'
import type { ApplicationPlan, Command, Message } from './messages.ts'
import { canary } from './records.ts'
import type { StandardOutput } from './standard-output.ts'

/** A process of an application. */
export interface ApplicationProcess {
  readonly run: string
  readonly pid: number
  readonly output: StandardOutput
  send(command: Command): void
  /** Sends a command and waits for a message of the type. Resolves with undefined if the process exits before. */
  request<S extends Message['type']>(command: Command, type: S): Promise<Extract<Message, { type: S }> | undefined>
  kill(signal: NodeJS.Signals): void
  /** Returns the last reported statistics for each destination. */
  stats(): readonly RunStats[]
  /** Errors, as sentences. */
  readonly wrong: readonly string[]
  /** The end of its standard error. */
  readonly stderr: string
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>
}

const program = fileURLToPath(new URL('application-program.ts', import.meta.url))
const MAX_STDERR = 4_000
const noRecords: RunStats['stats'] = {
  emitted: 0,
  accepted: 0,
  filtered: 0,
  written: 0,
  queued: 0,
  unknown: 0,
  maybeDuplicated: 0,
  dropped: { total: 0, byReason: {} },
}

/** Starts a process and waits until it logs. */
export async function startApplication(
  plan: ApplicationPlan,
  output: StandardOutput,
  env: Readonly<Record<string, string>>,
): Promise<ApplicationProcess> {
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', program, JSON.stringify(plan)]
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', output.stdio, 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  output.started()
  const wrong: string[] = []
  const runStats: RunStats[] = destinations.map(() => ({
    isFinal: false,
    next: 0,
    stats: noRecords,
    settled: undefined,
  }))
  let listeners: ((message: Message) => void)[] = []
  let stderr = ''

  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR)
    if (stderr.includes(canary)) wrong.push(`a secret is on standard error: ${stderr}`)
  })
  // A killed process does not read its standard input to the end.
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const message = JSON.parse(line) as Message
    if (message.type === 'error') wrong.push(message.what)
    if (message.type === 'stats' || message.type === 'final stats') updateStats(message)
    for (const listener of listeners) listener(message)
  })
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? code!))
  })

  function updateStats({ type, next, stats }: Extract<Message, { type: 'stats' | 'final stats' }>): void {
    stats.forEach((each, index) => {
      const settled = each.queued === 0 ? { next, stats: each } : runStats[index]!.settled
      runStats[index] = { isFinal: type === 'final stats', next, stats: each, settled }
    })
  }

  function receive<S extends Message['type']>(type: S): Promise<Extract<Message, { type: S }> | undefined> {
    return new Promise((resolve) => {
      const listener = (message: Message): void => {
        if (message.type !== type) return
        listeners = listeners.filter((other) => other !== listener)
        resolve(message as Extract<Message, { type: S }>)
      }
      listeners = [...listeners, listener]
      void ended.then(() => resolve(undefined))
    })
  }

  const send = (command: Command): void => void child.stdin!.write(`${JSON.stringify(command)}\n`)
  const ready = await receive('ready')
  if (ready === undefined) throw new Error(`the application ${plan.run} did not start: ${stderr}`)
  return {
    run: plan.run,
    pid: ready.pid,
    output,
    send,
    request(command, type) {
      const reply = receive(type)
      send(command)
      return reply
    },
    kill: (signal) => void child.kill(signal),
    stats: () => runStats,
    wrong,
    get stderr() {
      return stderr
    },
    ended,
  }
}
