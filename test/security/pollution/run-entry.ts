import { spawn } from 'node:child_process'
import { resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('entry-program.mjs', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The values of the polluted names. `watched` sets accessors that record each read and change nothing. */
export type Kind = 'text' | 'flag' | 'number' | 'function' | 'object' | 'hidden' | 'throwing' | 'watched'
export type Prototype = 'object' | 'array' | 'function' | 'error' | 'string'

/** The properties that are set on a prototype while a scenario runs. */
export interface Pollution {
  readonly kind: Kind
  readonly keys: readonly string[]
}

export const noPollution: Pollution = { kind: 'text', keys: [] }

/** The scenario and the build to run, and when the prototype is polluted. */
export interface Plan {
  readonly entry: string
  /** Where temporary files go. */
  readonly directory: string
  /** The URL of `requestKeeper`, for scenarios that send records. */
  readonly collector?: string
  /** Default: the ES modules of the build. `source`: the files in `src`. */
  readonly format?: 'esm' | 'cjs' | 'source'
  readonly when: 'before' | 'after'
  readonly on?: Prototype
}

/** What came of a run. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  /** What the scenario returned, and what was noted, as JSON; '' where the process ended before. */
  readonly seen: string
}

/** Runs a scenario in a process of its own. */
export function runEntry(plan: Plan, pollution: Pollution): Promise<Outcome> {
  const argument = { root, format: 'esm', on: 'object', collector: '', ...plan }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, JSON.stringify(argument)], {
    env: { PATH: process.env['PATH'], OTEL_LOGS_EXPORTER: 'console' },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: 30_000,
    killSignal: 'SIGKILL',
  })
  // A process that has ended does not read it.
  child.stdin.on('error', () => {}).end(JSON.stringify(pollution))
  const texts = ['', '', '', '']
  for (const at of [1, 2, 3]) child.stdio[at]!.on('data', (chunk: Buffer) => (texts[at] += chunk.toString('latin1')))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const [, stdout, stderr, seen] = texts.map((text) => repeatable(text, plan)) as [string, string, string, string]
      resolve({ stdout, stderr: code === 0 ? stderr : `${stderr}ended with ${code ?? signal}`, seen })
    })
  })
}

/** Without times, ids, ports and the directory, which are others in each run. */
function repeatable(text: string, { directory }: Plan): string {
  return (
    text
      .replaceAll(resolvePath(directory), 'directory')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/\b1[67]\d{11}\b/g, '0')
      .replaceAll(/((?:pid|durationMs|exportMillis)\\*":)[\d.]+/g, '$10')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
      // The duration in the message of a request.
      .replaceAll(/(message\\*":\\*"[A-Z]+ \S+ \d{3}) [\d.]+(?:µs|ms|s)/g, '$1 duration')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'host')
  )
}
