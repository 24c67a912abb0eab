import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stallingPipe } from '../files/pipes.ts'

/** How a program exits. */
export const exitCauses = ['end', 'exit', 'throw', 'rejection', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const
export type ExitCause = (typeof exitCauses)[number]

/** The options of the programs in exit-programs/. */
export interface ExitProgramOptions {
  readonly cause: ExitCause
  /** The path of the log file. undefined: standard output. */
  readonly file: string | undefined
  /** The delay of the burst after the creation of the exporter, in ms. 0: in the same turn. */
  readonly delayMillis: number
  readonly signalExit: 'not' | 'before' | 'after'
  readonly records: number
  /** For burst.ts: the number of records in each turn of the event loop. Default: all. */
  readonly perTurn?: number
  readonly exitTimeoutMillis: number
  /** For compat.ts: the API and its configuration. */
  readonly api?: string
}

/** The kind of destination. */
export type OutputKind = 'late pipe' | 'unread pipe' | 'late socket' | 'file on stdout' | 'file' | '/dev/full'

/** The exit status of a program and the contents of its destination. */
export interface ExitResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
  /** The time from the last log call to the exit, in ms. */
  readonly exitMillis: number
  readonly output: string
}

/** Returns the exit code and signal of a program without a logger. */
export function expectedExit(way: ExitCause): { code: number | null; signal: NodeJS.Signals | null } {
  if (way.startsWith('SIG')) return { code: null, signal: way as NodeJS.Signals }
  return { code: { end: 0, exit: 3, throw: 1, rejection: 1 }[way as 'end'], signal: null }
}

const programs = {
  burst: fileURLToPath(new URL('exit-programs/burst.ts', import.meta.url)),
  console: fileURLToPath(new URL('exit-programs/console.ts', import.meta.url)),
  compat: fileURLToPath(new URL('exit-programs/compat.ts', import.meta.url)),
}
const LATE_MILLIS = 500

/** Runs a program of exit-programs/ with a destination. `path` must not exist. */
export async function runExitProgram(
  sink: OutputKind,
  options: Omit<ExitProgramOptions, 'file'>,
  path: string,
  program: keyof typeof programs = 'burst',
): Promise<ExitResult> {
  const pipe = sink.endsWith('pipe') ? stallingPipe(path) : undefined
  const opened =
    sink === 'file on stdout' ? openSync(path, 'a') : sink === '/dev/full' ? openSync(sink, 'w') : undefined
  const argument: ExitProgramOptions = { ...options, file: sink === 'file' ? path : undefined }
  const child = spawn(process.execPath, [programs[program], JSON.stringify(argument)], {
    stdio: ['ignore', pipe?.fd ?? opened ?? 'pipe', 'pipe'],
    timeout: 15_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  let stderr = ''
  const readPipe = () => (output += pipe?.readAll() ?? '')
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  let polling: NodeJS.Timeout | undefined
  const late = setTimeout(() => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
    if (sink === 'late pipe') polling = setInterval(readPipe, 2)
  }, LATE_MILLIS)
  const ended = new Promise<number>((resolve) => child.once('exit', () => resolve(Date.now())))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...end) => resolve(end)),
  )
  clearTimeout(late)
  clearInterval(polling)
  readPipe()
  pipe?.close()
  if (opened !== undefined) closeSync(opened)
  if (sink.includes('file')) output = readFileSync(path, 'utf8')
  const held = (await ended) - Number(/^dying (\d+)$/m.exec(stderr)?.[1])
  return { code, signal, stderr, exitMillis: held, output }
}

/** Runs tasks, at most `most` at a time, and returns their results in order. */
export async function inParallel<T>(most: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  let next = 0
  async function run(): Promise<void> {
    for (let index = next++; index < tasks.length; index = next++) results[index] = await tasks[index]!()
  }
  await Promise.all(Array.from({ length: most }, run))
  return results
}
