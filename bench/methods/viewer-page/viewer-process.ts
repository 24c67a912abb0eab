import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A viewer in its own process. */
export interface ViewerProcess {
  readonly url: string
  send(body: Uint8Array<ArrayBuffer>): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the viewer of a build.
 *
 * @param program - the path of the command-line program
 */
export async function startViewer(program: string, signal: AbortSignal): Promise<ViewerProcess> {
  const child = spawn(process.execPath, [program, 'ui', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  const url = await urlOf(child)
  return {
    url,
    send: async (body) => {
      const response = await fetch(`${url}/v1/logs`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-protobuf' },
        body,
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`the viewer answered ${response.status}`)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function urlOf(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
      if (url !== undefined) resolve(url)
    })
    child.once('exit', () => reject(new Error(`the viewer did not start: ${text}`)))
    child.once('error', reject)
  })
}
