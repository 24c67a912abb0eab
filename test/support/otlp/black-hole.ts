import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** An address that neither accepts nor refuses connections, like one behind a firewall that drops packets. */
export interface BlackHole {
  readonly port: number
  close(): void
}

/**
 * The process listens and blocks: the system accepts as many connections as fit into the backlog and ignores the rest. Afterwards
 * the process responds to each request with 200.
 */
const program = `
  const server = require('node:http').createServer((_, response) => response.end())
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, String(server.address().port))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.argv[1]))
  })`
/** More connections than fit into the backlog. */
const connections = 6

/** Starts a black hole. @param millis - how long it ignores connections */
export async function blackHole(millis = Infinity): Promise<BlackHole> {
  const child = spawn(process.execPath, ['--eval', program, String(millis)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(text)
  const fillers = Array.from({ length: connections }, () => connect(port, '127.0.0.1').on('error', () => {}))
  // Connections that fit into the backlog are established at once.
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
  if (fillers.every(({ connecting }) => !connecting)) throw new Error('the backlog accepts every connection')
}
