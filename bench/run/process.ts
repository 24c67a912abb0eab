import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { nameOf, type Bench, type Job } from '../methods/method.ts'

/** Runs a program with a job and `fd` as its standard output. Resolves with the message that it sends. Closes `fd`. */
export async function runProcess<T>(program: URL, job: Job, fd: number, { signal }: Bench): Promise<T> {
  const child = spawn(process.execPath, [fileURLToPath(program), JSON.stringify(job)], {
    stdio: ['ignore', fd, 'inherit', 'ipc'],
    env: environment(),
    signal,
    killSignal: 'SIGKILL',
  })
  closeSync(fd)
  let result: T | undefined
  child.on('message', (message) => (result = message as T))
  // The result can arrive after the exit of the process.
  const [[code]] = (await Promise.all([once(child, 'close'), once(child, 'disconnect')])) as [[number | null], unknown]
  if (code !== 0 || result === undefined) throw new Error(`${nameOf(job)} exited with ${code}`)
  return result
}

const changesLoggers = /^(SLUICE_|OTEL_|LOG_LEVEL$|NODE_OPTIONS$|NODE_V8_COVERAGE$)/

/** Returns the environment without variables that affect loggers or Node. */
export function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !changesLoggers.test(name))
  return { ...Object.fromEntries(kept), NODE_ENV: 'production' }
}
