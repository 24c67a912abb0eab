import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { WriterGroupPlan, WriterGroupMessage } from './writer-group-plan.ts'
import type { ReportedStats } from './oracle.ts'

/** The result of a writer group. */
export interface WriterGroupResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The standard output, if it is a socket pair. */
  readonly stdout: string
  readonly stderr: string
  /** The statistics by the `pid` of the records. */
  readonly statsByMember: ReadonlyMap<number, ReportedStats>
  readonly ended: readonly Extract<WriterGroupMessage, { type: 'ended' }>[]
  readonly openHandles: readonly Extract<WriterGroupMessage, { type: 'open' }>[]
  /** The longest turn of the event loop of any member while it logged, in ms. */
  readonly longestTurn: number
}

/** Options for the start of a writer group. */
export interface WriterGroupOptions {
  /** Standard output: a descriptor, or a socket pair (default) that is read after `readsAfterMillis`. */
  readonly stdout?: number
  readonly readsAfterMillis?: number
}

const program = fileURLToPath(new URL('writer-group-program.ts', import.meta.url))

/** Runs a writer group until it has exited, with a timeout of 50 s. */
export async function runWriterGroup(
  plan: WriterGroupPlan,
  { stdout, readsAfterMillis = 0 }: WriterGroupOptions = {},
): Promise<WriterGroupResult> {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ['ignore', stdout ?? 'pipe', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  })
  let text = ''
  let stderr = ''
  const all: WriterGroupMessage[] = []
  const reads = setTimeout(() => {
    child.stdout?.setEncoding('latin1').on('data', (part: string) => (text += part))
  }, readsAfterMillis)
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) =>
    all.push(JSON.parse(line) as WriterGroupMessage),
  )
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  clearTimeout(reads)
  const statsByProcess = all.filter((message) => message.type === 'stats')
  return {
    code,
    signal,
    stdout: text,
    stderr,
    statsByMember: new Map(
      statsByProcess.flatMap(({ member, stats }) => (stats === undefined ? [] : [[member, stats]])),
    ),
    ended: all.filter((message) => message.type === 'ended'),
    openHandles: all.filter((message) => message.type === 'open'),
    longestTurn: Math.max(0, ...statsByProcess.map(({ longestTurn }) => longestTurn)),
  }
}
