import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An address that accepts no connection and refuses none, as behind a firewall that drops packets. */
export interface BlackHole {
  readonly port: number
  close(): void
}

/**
 * The process listens and stands still: the system accepts what fits into its backlog, and ignores the rest. After the time it
 * answers each request with 200.
 */
const program = `
  const server = require('node:http').createServer((_, response) => response.end())
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.argv[1]))
  })`
/** More than the backlog takes. */
const connections = 6

/** `millis`: how long, from now on. */
export async function blackHole(millis = Infinity): Promise<BlackHole> {
  const child = spawn(process.execPath, ['--eval', program, String(millis)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(text)
  const fillers = Array.from({ length: connections }, () => connect(port, '127.0.0.1').on('error', () => {}))
  // Those that fit are connected at once.
  await isSettled(fillers)
  return {
    port,
    close() {
      for (const filler of fillers) filler.destroy()
      child.kill('SIGKILL')
    },
  }
}

async function isSettled(fillers: readonly Socket[]): Promise<void> {
  await Promise.any(fillers.map((filler) => once(filler, 'connect')))
  await new Promise((resolve) => setTimeout(resolve, 100))
  if (fillers.every(({ connecting }) => !connecting)) throw new Error('the backlog takes every connection')
}
