import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Verdict } from '../check/lines.ts'
import type { Job, Measured } from './job.ts'
import { openOutlet } from './outlet.ts'

/** One measured process that has ended, and what arrived. */
export interface Run {
  readonly measured: Measured
  readonly verdict: Verdict | undefined
}

const measuredProcess = fileURLToPath(new URL('measured.ts', import.meta.url))

/** Runs a job in a process of its own. `folder` takes what it writes. */
export async function run(job: Job, folder: string, signal: AbortSignal): Promise<Run> {
  const outlet = await openOutlet[job.to](job, folder)
  const child = spawn(process.execPath, [measuredProcess, JSON.stringify(job)], {
    stdio: ['ignore', outlet.fd, 'inherit', 'ipc'],
    env: environment(),
    signal,
    killSignal: 'SIGKILL',
  })
  closeSync(outlet.fd)
  let measured: Measured | undefined
  child.on('message', (message) => (measured = message as Measured))
  // The channel may still hold the result when the process has ended.
  const [[code]] = (await Promise.all([once(child, 'close'), once(child, 'disconnect')])) as [[number | null], unknown]
  const verdict = await outlet.verdict()
  if (code !== 0 || measured === undefined) throw new Error(`${nameOf(job)} ended with ${code}`)
  return { measured, verdict }
}

export const nameOf = ({ scenario, subject, to }: Pick<Job, 'scenario' | 'subject' | 'to'>): string =>
  `${scenario} by ${subject} to ${to}`

const changesLoggers = /^(SLUICE_|OTEL_|LOG_LEVEL$|NODE_OPTIONS$|NODE_V8_COVERAGE$)/

/** Without the variables that change how a logger or Node behaves. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !changesLoggers.test(name))
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' }
}
