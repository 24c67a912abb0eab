import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { CrowdPlan, CrowdSaid } from './crowd-plan.ts'
import type { ToldLedger } from './oracle.ts'

/** What a crowd and whoever watches it know when all of it has ended. */
export interface Crowd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** The standard output, where it is a socket pair. */
  readonly stdout: string
  readonly stderr: string
  /** By `pid` of the records. */
  readonly ledgers: ReadonlyMap<number, ToldLedger>
  readonly ended: readonly Extract<CrowdSaid, { said: 'ended' }>[]
  readonly open: readonly Extract<CrowdSaid, { said: 'open' }>[]
  /** The longest turn of the event loop that somebody had while logging, in ms. */
  readonly longestTurn: number
}

/** How the processes are started. */
export interface CrowdStart {
  /** The standard output: a descriptor, or a socket pair (default) that is read after so many ms. */
  readonly stdout?: number
  readonly readsAfterMillis?: number
}

const program = fileURLToPath(new URL('crowd-program.ts', import.meta.url))

/** Runs a crowd to its end; after 50 s its parent is killed. */
export async function runCrowd(plan: CrowdPlan, { stdout, readsAfterMillis = 0 }: CrowdStart = {}): Promise<Crowd> {
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], {
    stdio: ['ignore', stdout ?? 'pipe', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  })
  let text = ''
  let stderr = ''
  const all: CrowdSaid[] = []
  const reads = setTimeout(() => {
    child.stdout?.setEncoding('latin1').on('data', (part: string) => (text += part))
  }, readsAfterMillis)
  child.stderr!.setEncoding('utf8').on('data', (part: string) => (stderr += part))
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => all.push(JSON.parse(line) as CrowdSaid))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  clearTimeout(reads)
  const ledgers = all.filter((said) => said.said === 'ledger')
  return {
    code,
    signal,
    stdout: text,
    stderr,
    ledgers: new Map(ledgers.flatMap(({ member, ledger }) => (ledger === undefined ? [] : [[member, ledger]]))),
    ended: all.filter((said) => said.said === 'ended'),
    open: all.filter((said) => said.said === 'open'),
    longestTurn: Math.max(0, ...ledgers.map(({ longestTurn }) => longestTurn)),
  }
}
