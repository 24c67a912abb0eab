import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import type { Progress } from './protocol.ts'

export interface Child<Question extends object> {
  /** Sends a request and waits for the reply. Only one request may be pending. Rejects if the process exits before. */
  request<Answer extends object>(request: Question): Promise<Answer>
  /** Disconnects the process and waits for its exit. Rejects if it fails. */
  stop(): Promise<void>
}

export interface ChildOptions {
  /** Kills the process when aborted. */
  readonly signal: AbortSignal
  /** A file descriptor that only this process uses. */
  readonly stdout?: number
  readonly onProgress?: (done: number) => void
}

export function startChild<Question extends object>(
  script: URL,
  args: readonly string[],
  { signal, stdout, onProgress }: ChildOptions,
): Child<Question> {
  const child = fork(script, args, {
    signal,
    killSignal: 'SIGKILL',
    stdio: ['ignore', stdout ?? 'ignore', 'inherit', 'ipc'],
  })
  const name = [basename(script.pathname), ...args.slice(0, 1)].join(' ')
  let pending: PromiseWithResolvers<object> | undefined

  child.on('message', (message: Progress | object) => {
    if ('progress' in message) onProgress?.(message.progress)
    else pending?.resolve(message)
  })
  child.on('error', (error) => pending?.reject(error))
  child.on('exit', (code, killed) =>
    pending?.reject(new Error(`${name} ended with ${killed ?? code} before it replied`)),
  )

  return {
    async request<Answer extends object>(request: Question): Promise<Answer> {
      if (!child.connected) throw new Error(`${name} is not running`)
      pending = Promise.withResolvers<object>()
      child.send(request)
      return (await pending.promise) as Answer
    },
    async stop() {
      const running = child.exitCode === null && child.signalCode === null
      if (child.connected) child.disconnect()
      if (running) await once(child, 'exit', { signal })
      if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.signalCode ?? child.exitCode}`)
    },
  }
}
