import { spawn, type IOType } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Command, ProcessPlan, Reply, ReplyOf } from './commands.ts'
import type { ReportedStats } from './oracle.ts'

/** How a process is started. */
export interface FaultChildPlan extends ProcessPlan {
  /** A command that runs the program, such as `['strace', '-f', …]`. */
  readonly wrap?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly nodeArgs?: readonly string[]
  /** Standard output: a descriptor, a connection, or `pipe` (default), whose text is then in `stdout`. */
  readonly stdout?: number | Socket | 'pipe'
  /** Ms after which the process is killed. Default 60,000. */
  readonly timeoutMillis?: number
  /** Ms without a reply after which the process counts as hung. Default 40,000. */
  readonly replyTimeoutMillis?: number
}

/** A process that logs while faults are injected. */
export interface FaultChild {
  /** The pid of the program itself, not of the command that runs it. */
  readonly pid: number
  /** The standard output so far, if it is a pipe. */
  readonly stdout: string
  readonly stderr: string
  /** The last reported statistics. */
  readonly stats: ReportedStats | undefined
  /** The last reported statistics of the second sink. */
  readonly secondStats: ReportedStats | undefined
  /** Errors that the logger passed to the program, as last reported. */
  readonly errors: readonly string[]
  /** The largest reported resident memory, in bytes. */
  readonly rss: number
  /** Sends a command and waits for the reply. Rejects if the process exits before or hangs. */
  request<S extends Reply['type'] = Reply['type']>(command: Command): Promise<ReplyOf<S>>
  /** Waits for the next reply. */
  nextReply<S extends Reply['type'] = Reply['type']>(): Promise<ReplyOf<S>>
  /** Sends a command that has no reply, or whose reply `nextReply` waits for. */
  send(command: Command): void
  /** Stops or resumes reading its standard output. */
  setReading(isReading: boolean): void
  kill(signal: NodeJS.Signals): void
  /** Resolves after exit, once its standard output and error are closed. */
  readonly ended: Promise<ExitStatus>
}

export interface ExitStatus {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

const program = fileURLToPath(new URL('program.ts', import.meta.url))

/** Starts a process and waits until its logger is open. */
export async function startFaultChild(given: FaultChildPlan): Promise<FaultChild> {
  const {
    wrap = [],
    env,
    nodeArgs = [],
    stdout = 'pipe',
    timeoutMillis = 60_000,
    replyTimeoutMillis = 40_000,
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
  let stats: ReportedStats | undefined
  let secondStats: ReportedStats | undefined
  let errors: readonly string[] = []
  let rss = 0
  child.stdout?.setEncoding('latin1').on('data', (part: string) => (text += part))
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  // A killed process does not read its standard input to the end.
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => {
    const reply = JSON.parse(line) as Reply
    if (reply.type === 'stats' || reply.type === 'final stats') {
      ;({ stats, secondStats, errors } = reply)
      rss = Math.max(rss, reply.rss)
    }
    if (reply.type === 'final stats') return
    replies.push(reply)
    waiting?.(replies.shift()!)
  })
  const ended = new Promise<ExitStatus>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  ended.then(
    ({ code, signal }) => gone?.(new Error(`dies (${code ?? signal}): ${firstErrorOf(stderr)}`)),
    (error: Error) => gone?.(error),
  )

  function reply(to: string): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const stuck = setTimeout(
      () => gone?.(new Error(`hangs: no reply to ${to} in ${replyTimeoutMillis / 1_000} s`)),
      replyTimeoutMillis,
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
  const send = (command: Command): void => void child.stdin!.write(`${JSON.stringify(command)}\n`)

  const hello = (await reply('hello')) as Extract<Reply, { type: 'ready' }>
  pid = hello.pid
  return {
    pid,
    get stdout() {
      return text
    },
    get stderr() {
      return stderr
    },
    get stats() {
      return stats
    },
    get secondStats() {
      return secondStats
    },
    get errors() {
      return errors
    },
    get rss() {
      return rss
    },
    async request<S extends Reply['type']>(command: Command) {
      send(command)
      return (await reply(command.do)) as ReplyOf<S>
    },
    nextReply: async <S extends Reply['type']>() => (await reply('the last command')) as ReplyOf<S>,
    send,
    setReading(isReading) {
      if (isReading) child.stdout!.resume()
      else child.stdout!.pause()
    },
    kill(signal) {
      if (pid === 1) throw new Error('PID 1 is another process in this namespace')
      process.kill(pid, signal)
    },
    ended,
  }
}

/** Returns the first error in a standard error output, or its start. */
export function firstErrorOf(stderr: string): string {
  return /^(?:Uncaught )?(\w*Error\b[^\n]*)/m.exec(stderr)?.[1]?.slice(0, 100) ?? stderr.trim().slice(0, 200)
}
