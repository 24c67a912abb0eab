import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environment } from '../../run/process.ts'

/** A viewer in a process of its own. */
export interface RunningViewer {
  readonly url: string
  /** Returns the highest resident memory of its process until now, in MB. */
  peakMemory(): number
  stop(): void
}

/**
 * Starts the command `sluice ui` of a build, with a free port and the default memory. It is ended with this process.
 *
 * @param args - other arguments
 */
export async function startViewer(build: string, args: readonly string[] = []): Promise<RunningViewer> {
  const child = spawn(process.execPath, [join(build, '../cli.cjs'), 'ui', '--port', '0', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment(),
  })
  const stop = (): void => void child.kill()
  process.once('exit', stop)
  child.unref()
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /http:\/\/[\w.:]+/.exec(line)?.[0]
    if (url !== undefined) return { url, peakMemory: () => peakOf(child.pid!), stop }
  }
  throw new Error('the viewer did not start')
}

function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / 1e6
}
