import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import type { Progress } from './protocol.ts'

export interface Child<Question extends object> {
  /** One question at a time. Rejects when the process ends instead of answering. */
  ask<Answer extends object>(question: Question): Promise<Answer>
  /** Lets the process go, and waits until it has ended well. */
  stop(): Promise<void>
}

export interface ChildOptions {
  /** Kills the process. */
  readonly signal: AbortSignal
  /** A file descriptor; nothing else of the demo writes there. */
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
    pending?.reject(new Error(`${name} ended with ${killed ?? code} before it answered`)),
  )

  return {
    async ask<Answer extends object>(question: Question): Promise<Answer> {
      if (!child.connected) throw new Error(`${name} is not running`)
      pending = Promise.withResolvers<object>()
      child.send(question)
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
