import { spawn, type IOType } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Command, Plan, Reply, ReplyOf } from './commands.ts'
import type { ToldLedger } from './oracle.ts'

/** How a process is started. */
export interface FaultChildPlan extends Plan {
  /** What stands in front of the program, such as `['strace', '-f', …]`; it must run what follows it. */
  readonly wrap?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  /** The standard output: a descriptor, a connection, or `pipe` (default), a socket whose text is then in `stdout`. */
  readonly stdout?: number | Socket | 'pipe'
  /** After so many ms it is killed. Default 60,000. */
  readonly timeoutMillis?: number
  /** After so many ms without an answer it is taken for stuck. Default 40,000. */
  readonly answerMillis?: number
}

/** A process that logs and has faults. */
export interface FaultChild {
  /** Of the program itself, whatever wraps it. */
  readonly pid: number
  /** The standard output so far, where it is a pipe. */
  readonly stdout: string
  readonly stderr: string
  /** The ledger that was told last. */
  readonly ledger: ToldLedger | undefined
  /** What it told last of the place beside. */
  readonly beside: ToldLedger | undefined
  /** Errors that the logger told the program, as far as these were told. */
  readonly told: readonly string[]
  /** The most resident memory that was told, in bytes. */
  readonly rss: number
  /** Tells it what to do, and waits until it is done; rejects when the process ends before, or is stuck. */
  ask<S extends Reply['said'] = Reply['said']>(command: Command): Promise<ReplyOf<S>>
  /** Waits for what it says next. */
  next<S extends Reply['said'] = Reply['said']>(): Promise<ReplyOf<S>>
  /** Tells it what is not answered, or is waited for with `next`. */
  tell(command: Command): void
  /** Stops reading what it writes to its standard output, or goes on. */
  listen(listens: boolean): void
  kill(signal: NodeJS.Signals): void
  /** Once its standard error and output are closed, too. */
  readonly ended: Promise<Ending>
}

export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const program = fileURLToPath(new URL('program.ts', import.meta.url))

/** Starts a process, and waits until its logger is open. */
export async function startFaultChild(given: FaultChildPlan): Promise<FaultChild> {
  const {
    wrap = [],
    env,
    nodeArgs = [],
    stdout = 'pipe',
    timeoutMillis = 60_000,
    answerMillis = 40_000,
    ...plan
  } = given
  const [command, ...args] = [...wrap, process.execPath, ...nodeArgs, program, JSON.stringify(plan)]
  const stdio: (IOType | number | Socket)[] = ['pipe', stdout, 'pipe', 'pipe']
  const child = spawn(command, args, {
    stdio,
    env: { ...process.env, ...env },
    timeout: timeoutMillis,
    killSignal: 'SIGKILL',
  })
  const replies: Reply[] = []
  let waiting: ((reply: Reply) => void) | undefined
  let gone: ((error: Error) => void) | undefined
  let text = ''
  let stderr = ''
  let pid = child.pid ?? 0
  let ledger: ToldLedger | undefined
  let beside: ToldLedger | undefined
  let told: readonly string[] = []
  let rss = 0
  child.stdout?.setEncoding('latin1').on('data', (part: string) => (text += part))
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  // Whoever is killed does not read to the end.
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply
    if (reply.said === 'ledger' || reply.said === 'last ledger') {
      ;({ ledger, beside, told } = reply)
      rss = Math.max(rss, reply.rss)
    }
    if (reply.said === 'last ledger') return
    replies.push(reply)
    waiting?.(replies.shift()!)
  })
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  ended.then(
    ({ code, signal }) => gone?.(new Error(`dies (${code ?? signal}): ${wordsOf(stderr)}`)),
    (error: Error) => gone?.(error),
  )

  function reply(to: string): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const stuck = setTimeout(
      () => gone?.(new Error(`hangs: no answer to ${to} in ${answerMillis / 1_000} s`)),
      answerMillis,
    )
    const settle = () => {
      clearTimeout(stuck)
      waiting = gone = undefined
    }
    waiting = (reply) => {
      settle()
      resolve(reply)
    }
    gone = (error) => {
      settle()
      reject(error)
    }
    if (replies.length > 0) waiting(replies.shift()!)
    return promise
  }
  const tell = (command: Command): void => void child.stdin!.write(`${JSON.stringify(command)}\n`)

  const hello = (await reply('hello')) as Extract<Reply, { said: 'hello' }>
  pid = hello.pid
  return {
    pid,
    get stdout() {
      return text
    },
    get stderr() {
      return stderr
    },
    get ledger() {
      return ledger
    },
    get beside() {
      return beside
    },
    get told() {
      return told
    },
    get rss() {
      return rss
    },
    async ask<S extends Reply['said']>(command: Command) {
      tell(command)
      return (await reply(command.do)) as ReplyOf<S>
    },
    next: async <S extends Reply['said']>() => (await reply('what it was told')) as ReplyOf<S>,
    tell,
    listen(listens) {
      if (listens) child.stdout!.resume()
      else child.stdout!.pause()
    },
    kill(signal) {
      if (pid === 1) throw new Error('its number is that of another process out here')
      process.kill(pid, signal)
    },
    ended,
  }
}

/** The error that ended a process, or the first that it said. */
export function wordsOf(stderr: string): string {
  return /^(?:Uncaught )?(\w*Error\b[^\n]*)/m.exec(stderr)?.[1]?.slice(0, 100) ?? stderr.trim().slice(0, 200)
}
