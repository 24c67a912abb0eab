import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { stallingPipe } from '../files/pipes.ts'

/** How a program dies. */
export const ways = ['end', 'exit', 'throw', 'rejection', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const
export type Way = (typeof ways)[number]

/** What the programs in exit-programs/ are told. */
export interface ExitProgram {
  readonly way: Way
  /** Where to write; undefined: the standard output. */
  readonly file: string | undefined
  /** How long after the exporter was made the burst comes; 0: in the same turn. */
  readonly delayMillis: number
  readonly signalExit: 'not' | 'before' | 'after'
  readonly records: number
  /** For burst.ts: how many records each turn of the event loop logs. Default: all of them. */
  readonly perTurn?: number
  readonly exitTimeoutMillis: number
  /** For front.ts: which logger's front, and how it is set up. */
  readonly front?: string
}

/** What stands behind the destination. */
export type Sink = 'late pipe' | 'deaf pipe' | 'late socket' | 'file on stdout' | 'file' | '/dev/full'

/** How a program ended, and what its destination holds. */
export interface Death {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
  /** From the last log call to the end, ms. */
  readonly held: number
  readonly output: string
}

/** The code and signal with which a program dies that has no logger. */
export function expectedEnd(way: Way): { code: number | null; signal: NodeJS.Signals | null } {
  if (way.startsWith('SIG')) return { code: null, signal: way as NodeJS.Signals }
  return { code: { end: 0, exit: 3, throw: 1, rejection: 1 }[way as 'end'], signal: null }
}

const programs = {
  burst: fileURLToPath(new URL('exit-programs/burst.ts', import.meta.url)),
  console: fileURLToPath(new URL('exit-programs/console.ts', import.meta.url)),
  front: fileURLToPath(new URL('exit-programs/front.ts', import.meta.url)),
}
const LATE_MILLIS = 500

/** Runs a program of exit-programs/ against a destination. `path` is a name that is free to use. */
export async function dieWith(
  sink: Sink,
  options: Omit<ExitProgram, 'file'>,
  path: string,
  program: keyof typeof programs = 'burst',
): Promise<Death> {
  const pipe = sink.endsWith('pipe') ? stallingPipe(path) : undefined
  const opened =
    sink === 'file on stdout' ? openSync(path, 'a') : sink === '/dev/full' ? openSync(sink, 'w') : undefined
  const argument: ExitProgram = { ...options, file: sink === 'file' ? path : undefined }
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
  return { code, signal, stderr, held, output }
}

/** Runs tasks, at most so many at a time, and keeps their order. */
export async function inParallel<T>(most: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  let next = 0
  async function run(): Promise<void> {
    for (let index = next++; index < tasks.length; index = next++) results[index] = await tasks[index]!()
  }
  await Promise.all(Array.from({ length: most }, run))
  return results
}
